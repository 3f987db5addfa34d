import { posix } from 'node:path'

/** Forms of imports: `import … from 'x'`, `export … from 'x'`, `import 'x'`, `import('x')`. */
const importForms = [
  /^import\s+[\w\s{},*$]+?\sfrom\s*['"]([^'"]+)['"]/gm,
  /^export\s+(?:type\s+)?(?:\*(?:\s+as\s+\w+)?|\{[^}]*\})\s*from\s*['"]([^'"]+)['"]/gm,
  /^import\s*['"]([^'"]+)['"]/gm,
  /\bimport\(\s*['"]([^'"]+)['"]/g,
]

/** Returns the specifiers of all imports in a file, including types. */
export function importsOf(text: string): string[] {
  return importForms.flatMap((form) => [...text.matchAll(form)].flatMap((match) => match[1] ?? []))
}

/**
 * Resolves an import to a path in the repository (`@muster/contract/x` is `contract/src/x.ts`); other specifiers are
 * returned unchanged.
 */
export function resolveImport(importer: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(importer), specifier)
  return specifier.replace(/^@muster\/contract\/(.+)$/, 'contract/src/$1.ts')
}
