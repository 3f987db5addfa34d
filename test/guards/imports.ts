import { posix } from 'node:path'

/** The forms an import takes: `import … from 'x'`, `export … from 'x'`, `import 'x'`, `import('x')`. */
const importForms = [
  /^import\s+[\w\s{},*$]+?\sfrom\s*['"]([^'"]+)['"]/gm,
  /^export\s+(?:type\s+)?(?:\*(?:\s+as\s+\w+)?|\{[^}]*\})\s*from\s*['"]([^'"]+)['"]/gm,
  /^import\s*['"]([^'"]+)['"]/gm,
  /\bimport\(\s*['"]([^'"]+)['"]/g,
]

/** Every module that a file's text imports, as written, types included. */
export function importsOf(text: string): string[] {
  return importForms.flatMap((form) => [...text.matchAll(form)].flatMap((match) => match[1] ?? []))
}

/**
 * What an import names: a path in the repository for our own files (`@muster/contract/x` is
 * `contract/src/x.ts`), else the specifier as it is.
 */
export function resolveImport(importer: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(importer), specifier)
  return specifier.replace(/^@muster\/contract\/(.+)$/, 'contract/src/$1.ts')
}
