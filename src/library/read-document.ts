import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../domain/hash.ts';
import { DEFAULT_CLASSIFICATION, DEFAULT_CONFIDENCE, typeRow } from '../domain/lifecycle.ts';
import { redact } from '../domain/hygiene/redact.ts';
import { parseDocument, type MarkdownDocument } from '../domain/markdown/document.ts';
import type { Memory } from '../domain/memory.ts';
import { toIso } from '../domain/time.ts';
import { sectionsOf, type Section } from './sections.ts';
import type { FoundFile } from './walk.ts';

/** Larger files are no documents that people wrote. */
const LARGEST_BYTES = 5_000_000;

/** A file's bytes and their hash, or why it is left alone. */
export type ReadFile =
  | { readonly bytes: Uint8Array; readonly hash: string }
  | { readonly problem: string };

export async function readDocument(
  root: string,
  { file, sizeBytes }: FoundFile,
): Promise<ReadFile> {
  if (sizeBytes > LARGEST_BYTES) {
    const [size, most] = [sizeBytes, LARGEST_BYTES].map((bytes) => (bytes / 1e6).toFixed(1));
    return { problem: `it has ${size} MB, and ${most} MB is the most that is indexed` };
  }
  try {
    const bytes = await readFile(join(root, file));
    return { bytes, hash: sha256(bytes) };
  } catch (error) {
    return { problem: `it cannot be read (${(error as NodeJS.ErrnoException).code})` };
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The sections of a file as entries of the index, or what is wrong with it, and where. The file is its
 * owner's, but what is kept of it here is shown to agents and embedded elsewhere: without secrets.
 */
export function entriesOf(
  root: string,
  found: FoundFile,
  bytes: Uint8Array,
  secrets: 'redact' | 'keep',
): { entries: readonly Memory[] } | { problem: string; line?: number } {
  let text: string;
  try {
    text = UTF8.decode(bytes);
  } catch {
    return { problem: 'it is no text in UTF-8' };
  }
  const document = parseDocument(text);
  if ('problem' in document) return document;
  const clean = (kept: string): string => (secrets === 'keep' ? kept : redact(kept).text);
  const lines = new Map<number, number>();
  const entries = sectionsOf(document.body).map((section): Memory => {
    const line = document.bodyLine + section.line - 1;
    // Parts of one very long line begin on the same one.
    const nth = (lines.get(line) ?? 0) + 1;
    lines.set(line, nth);
    const id = `${root}/${found.file}:${line}${nth > 1 ? `:${nth}` : ''}`;
    return cleaned(entry(root, { id, line, found, document, section }), clean);
  });
  return { entries };
}

function cleaned(section: Memory, clean: (text: string) => string): Memory {
  const { title, body, tags } = section;
  const heading = title === undefined ? {} : { title: clean(title) };
  return { ...section, ...heading, body: clean(body), tags: tags.map(clean) };
}

/** What a section is to the engine: an entry in the project of its root, from an untrusted source. */
function entry(
  root: string,
  of: { id: string; line: number; found: FoundFile; document: MarkdownDocument; section: Section },
): Memory {
  const { id, line, found, document, section } = of;
  const title = headingOf(document, section).join(' > ');
  const modified = toIso(Math.min(Math.max(0, found.modifiedMs), LATEST_MS));
  return {
    id,
    type: 'document',
    tier: typeRow('document').tier,
    status: 'active',
    ...(title === '' ? {} : { title }),
    body: section.text,
    tags: document.tags,
    paths: [found.file],
    project: root,
    confidence: DEFAULT_CONFIDENCE,
    classification: DEFAULT_CLASSIFICATION,
    source: 'document',
    observed: 'stated',
    external_ids: [],
    evidence: [],
    entities: [],
    relations: [],
    details: { line },
    created_at: modified,
    updated_at: modified,
  };
}

/** The last second that ISO 8601 writes with four digits of a year. */
const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59);

/** A title from the front matter stands above the headings, unless the first one says the same. */
function headingOf({ title }: MarkdownDocument, { heading }: Section): readonly string[] {
  const same = heading[0]?.trim().toLowerCase() === title?.trim().toLowerCase();
  return title === undefined || same ? heading : [title, ...heading];
}
