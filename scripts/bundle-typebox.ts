// Run by `setup.mjs`: bundles typebox into one file per entry point, in a folder named by its version. Loading its 537 files
// takes half the start time of a command (docs/adr/0045). `server/src/kernel/lib/process/bundled-packages.mjs` makes Node load
// the bundle. The package itself is unchanged.
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'

const packages = join(import.meta.dirname, '..', 'node_modules')
const { version, exports } = JSON.parse(readFileSync(join(packages, 'typebox', 'package.json'), 'utf8'))
const folder = join(packages, '.cache', 'muster', `typebox-${version}`)

if (!existsSync(folder)) {
  // Built in another folder and renamed, so no process sees an incomplete bundle.
  const draft = `${folder}.${process.pid}`
  try {
    await bundle(draft)
    renameSync(draft, folder)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // Another process may have created it. Without the bundle everything works, but starts more slowly.
    if (!existsSync(folder))
      console.error(`Muster: typebox could not be bundled, commands start more slowly: ${String(error)}`)
  }
}

/** Bundles all entry points together, because they share registries of formats and settings. */
async function bundle(outDir: string): Promise<void> {
  const entries = Object.values(exports as Record<string, { readonly import: string }>).map((entry) =>
    entry.import.replace('./', ''),
  )
  await build({
    configFile: false,
    root: join(packages, 'typebox'),
    logLevel: 'error',
    build: {
      outDir,
      target: 'esnext',
      minify: false,
      lib: { entry: Object.fromEntries(entries.map((entry) => [entry, entry])), formats: ['es'] },
      rolldownOptions: { output: { entryFileNames: '[name]', chunkFileNames: 'shared/[name].mjs' } },
    },
  })
}
