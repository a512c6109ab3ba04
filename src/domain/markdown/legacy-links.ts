import { parseDocument } from 'yaml';
import { splitFile } from './split.ts';

/**
 * What `links.related` of a front-matter block names: ids, also as wikilinks. S2 keeps its edges there;
 * the key is none of ours, so it stands in the block and nowhere else.
 */
export function relatedInFront(front: string): readonly string[] {
  const split = splitFile(front);
  if ('problem' in split || !/^links\s*:/m.test(split.yaml)) return [];
  const document = parseDocument(split.yaml, { schema: 'core', merge: false, customTags: [] });
  if (document.errors.length > 0) return [];
  const related: unknown = document.getIn(['links', 'related']);
  const value = isNode(related) ? related.toJSON() : related;
  const items: unknown[] = Array.isArray(value) ? value.flat(2) : [value];
  const names = items.flatMap((item) => (typeof item === 'string' ? item.split(',') : []));
  const plain = names.map((name) => name.replace(/^\s*\[\[|\]\]\s*$/g, '').trim());
  return [...new Set(plain.filter((name) => name !== ''))];
}

function isNode(value: unknown): value is { toJSON(): unknown } {
  return typeof value === 'object' && value !== null && 'toJSON' in value;
}
