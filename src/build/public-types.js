/**
 * The types of a library as one file that stands by itself, as a partner's compiler reads it. What the source takes from other rooms
 * is written out: a type of the contract with all its members, and an interface as the other room declares it.
 */
import { readFileSync } from 'node:fs';
import ts from 'typescript';

const { NoTruncation, InTypeAlias, MultilineObjectLiterals } = ts.NodeBuilderFlags;
const WHOLE = NoTruncation | InTypeAlias | MultilineObjectLiterals;

/** @param {string} path of the source: types and declarations alone. What stands beside it is imported as `./name.js`. */
export function publicTypes(path) {
  const { compilerOptions } = JSON.parse(
    readFileSync(new URL('../../tsconfig.json', import.meta.url), 'utf8'),
  );
  const { options } = ts.convertCompilerOptionsFromJson({ ...compilerOptions, types: [] }, path);
  const program = ts.createProgram([path], options);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(path);
  const printer = ts.createPrinter({ removeComments: true });
  const beside = ({ moduleSpecifier }) => /^\.\/(\w+)-types\.ts$/.exec(moduleSpecifier?.text ?? '')?.[1];
  const imports = source.statements.filter(ts.isImportDeclaration);
  const foreign = new Set(imports.filter((one) => !beside(one)).flatMap(importedNames));
  const neighbours = new Set(imports.filter(beside).flatMap(importedNames));
  const isNeighbour = ({ name }) => neighbours.has(name.text);
  const handedOn = (elements) =>
    elements.map((element) => {
      const symbol = checker.getAliasedSymbol(checker.getSymbolAtLocation(element.name));
      return symbol.declarations[0].getFullText();
    });
  const text = (statement) => {
    if (ts.isImportDeclaration(statement))
      return beside(statement)
        ? [`import type { ${importedNames(statement).join(', ')} } from './${beside(statement)}.js';\n`]
        : [];
    if (ts.isExportDeclaration(statement)) {
      const { elements } = statement.exportClause;
      const beside = elements.filter(isNeighbour).map(({ name }) => name.text);
      const others = handedOn(elements.filter((one) => !isNeighbour(one)));
      return beside.length > 0 ? [`export type { ${beside.join(', ')} };\n`, ...others] : others;
    }
    if (!ts.isTypeAliasDeclaration(statement) || !mentions(statement.type, foreign))
      return [statement.getFullText()];
    const name = statement.name.text;
    if (!ts.getModifiers(statement)) {
      foreign.add(name);
      return [];
    }
    const written = checker.typeToTypeNode(checker.getTypeAtLocation(statement.name), statement, WHOLE);
    const alias = ts.factory.updateTypeAliasDeclaration(
      statement,
      statement.modifiers,
      statement.name,
      [],
      written,
    );
    return [
      source.text.slice(statement.pos, statement.getStart()),
      printer.printNode(ts.EmitHint.Unspecified, alias, source),
    ];
  };
  return `${source.statements.flatMap(text).join('\n').trimStart()}\n`;
}

const importedNames = ({ importClause }) => {
  const { name, namedBindings } = importClause;
  if (name) return [name.text];
  return ts.isNamespaceImport(namedBindings)
    ? [namedBindings.name.text]
    : namedBindings.elements.map((one) => one.name.text);
};

/** Answers whether one of the names stands in the node. */
function mentions(node, names) {
  if (ts.isIdentifier(node) && names.has(node.text)) return true;
  return ts.forEachChild(node, (child) => mentions(child, names)) ?? false;
}
