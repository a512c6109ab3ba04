import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { REQUIREMENTS } from './requirements.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Ids that the titles of tests cite, those of the suites around them included. */
function citations(source: string): string[] {
  const file = ts.createSourceFile('a.ts', source, ts.ScriptTarget.Latest, false);
  const cited: string[] = [];
  const visit = (node: ts.Node, titles: string): void => {
    if (!ts.isCallExpression(node)) return ts.forEachChild(node, (child) => visit(child, titles));
    const name = calleeOf(node);
    if (!/^(test|it|describe)\b/.test(name)) {
      return ts.forEachChild(node, (child) => visit(child, titles));
    }
    if (/\.(skip|todo|skipIf|runIf|fails)\b/.test(name)) return;
    const all = `${titles} ${titleOf(node)}`;
    if (name.startsWith('describe')) {
      for (const argument of node.arguments) visit(argument, all);
    } else if (!isSkipped(node)) {
      cited.push(...[...all.matchAll(/\[([A-Z]\d+)\]/g)].map((match) => match[1] as string));
    }
  };
  visit(file, '');
  return cited;
}

/** `test`, `test.each`, `describe.skip` … of `test.each(rows)(title, body)` and the like. */
function calleeOf({ expression }: ts.CallExpression): string {
  if (ts.isCallExpression(expression)) return calleeOf(expression);
  if (ts.isTaggedTemplateExpression(expression)) return calleeName(expression.tag);
  return calleeName(expression);
}

function calleeName(expression: ts.Expression): string {
  if (ts.isIdentifier(expression)) return expression.text;
  if (!ts.isPropertyAccessExpression(expression)) return '';
  return `${calleeName(expression.expression)}.${expression.name.text}`;
}

function titleOf({ arguments: [title] }: ts.CallExpression): string {
  if (!title) return '';
  if (ts.isStringLiteralLike(title)) return title.text;
  if (!ts.isTemplateExpression(title)) return '';
  return [title.head.text, ...title.templateSpans.map((span) => span.literal.text)].join('…');
}

/** Whether the body skips in any case, not only where something is missing. */
function isSkipped({ arguments: parts }: ts.CallExpression): boolean {
  const body = parts.find((part) => ts.isArrowFunction(part) || ts.isFunctionExpression(part));
  if (!body || !(ts.isArrowFunction(body) || ts.isFunctionExpression(body))) return false;
  const statements = ts.isBlock(body.body) ? body.body.statements.map(expressionOf) : [body.body];
  return statements.some(
    (statement) =>
      statement !== undefined &&
      ts.isCallExpression(statement) &&
      calleeOf(statement) === 'context.skip',
  );
}

function expressionOf(statement: ts.Statement): ts.Expression | undefined {
  return ts.isExpressionStatement(statement) ? statement.expression : undefined;
}

function sources(): string[] {
  return ['test', 'src/testing'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => readFileSync(join(root, folder, path), 'utf8')),
  );
}

const cited = new Set(sources().flatMap(citations));

test.each(REQUIREMENTS)('$id is cited by a test: $line', ({ id }) => {
  expect(cited).toContain(id);
});

test('no id is listed twice', () => {
  const ids = REQUIREMENTS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

describe('a citation', () => {
  test.each([
    ["test('[A1] x', () => {});", ['A1']],
    ["test('[A1] [B2] x', () => {});", ['A1', 'B2']],
    ["describe('[A1] x', () => { test('y', () => {}); });", ['A1']],
    ['test(`[A1] ${name} x`, async () => {});', ['A1']],
    ["test.each([1])('[A1] %i', () => {});", ['A1']],
    ["describe.each([1])('[A1] %i', () => { it('x', () => {}); });", ['A1']],
    ["test('[A1] x', (context) => { if (!part) context.skip('missing'); });", ['A1']],
  ])('counts in %s', (source, ids) => {
    expect(citations(source)).toEqual(ids);
  });

  test.each([
    "test.skip('[A1] x', () => {});",
    "test.todo('[A1] x');",
    "test('[A1] x', (context) => context.skip('later'));",
    "test('[A1] x', (context) => { context.skip('later'); });",
    "describe.skip('[A1] x', () => { test('y', () => {}); });",
    "describe('[A1] nothing in it', () => {});",
    "test('x', () => { expect('[A1]').toBe(1); });",
    "// test('[A1] x', () => {});",
  ])('does not count in %s', (source) => {
    expect(citations(source)).toEqual([]);
  });
});
