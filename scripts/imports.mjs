// Reads the imports of TypeScript sources and finds cycles among them.
import { posix } from 'node:path';
import ts from 'typescript';

/**
 * @typedef {object} Import
 * @property {string} specifier as written
 * @property {'static' | 'dynamic' | 'type'} kind dynamic: `import()` or `require()`
 * @property {number} line from 1
 */

/**
 * @param {string} file
 * @param {string} text
 * @returns {Import[]}
 */
export function importsOf(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext);
  /** @type {Import[]} */
  const found = [];
  /** @param {ts.Node} node */
  function visit(node) {
    const part = specifierOf(node);
    if (part) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push({ specifier: part.specifier.text, kind: part.kind, line: line + 1 });
    }
    ts.forEachChild(node, visit);
  }
  visit(source);
  return found;
}

/**
 * @param {ts.Node} node
 * @returns {{ specifier: ts.StringLiteralLike, kind: Import['kind'] } | undefined}
 */
function specifierOf(node) {
  if (ts.isImportDeclaration(node) && ts.isStringLiteralLike(node.moduleSpecifier)) {
    const isType = node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
    return { specifier: node.moduleSpecifier, kind: isType ? 'type' : 'static' };
  }
  if (
    ts.isExportDeclaration(node) &&
    node.moduleSpecifier &&
    ts.isStringLiteralLike(node.moduleSpecifier)
  )
    return { specifier: node.moduleSpecifier, kind: node.isTypeOnly ? 'type' : 'static' };
  if (
    ts.isImportTypeNode(node) &&
    ts.isLiteralTypeNode(node.argument) &&
    ts.isStringLiteralLike(node.argument.literal)
  )
    return { specifier: node.argument.literal, kind: 'type' };
  if (!ts.isCallExpression(node)) return;
  const [argument] = node.arguments;
  const loads =
    node.expression.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(node.expression) && node.expression.text === 'require');
  if (loads && argument && ts.isStringLiteralLike(argument))
    return { specifier: argument, kind: 'dynamic' };
}

/**
 * Every file that can reach itself through imports that run, with a way back to itself; each cycle
 * once. Imports of types are erased, so they make no cycle.
 * @param {Map<string, Import[]>} imports by file
 * @returns {string[][]} each ends with the file it begins with
 */
export function cycles(imports) {
  /** @type {Map<string, string[]>} */
  const edges = new Map();
  for (const [file, list] of imports) {
    const run = list.filter(({ specifier, kind }) => kind !== 'type' && specifier.startsWith('.'));
    edges.set(
      file,
      run.map(({ specifier }) => posix.join(posix.dirname(file), specifier)),
    );
  }
  /** @type {string[][]} */
  const found = [];
  const done = new Set();
  /** @param {string} file @param {string[]} path */
  function walk(file, path) {
    const start = path.indexOf(file);
    if (start >= 0) found.push([...path.slice(start), file]);
    if (start >= 0 || done.has(file)) return;
    for (const next of edges.get(file) ?? []) walk(next, [...path, file]);
    done.add(file);
  }
  for (const file of edges.keys()) walk(file, []);
  return found;
}
