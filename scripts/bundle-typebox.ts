// Run by `setup.mjs`: joins the files of typebox into one per entry, in a folder named by its version. It has 537 files,
// and to find and load them takes half the time in which a command starts (docs/adr/0045). `server/src/kernel/lib/process/bundled-packages.mjs`
// has Node take what is made here. The package itself stays as it is.
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'

const packages = join(import.meta.dirname, '..', 'node_modules')
const { version, exports } = JSON.parse(readFileSync(join(packages, 'typebox', 'package.json'), 'utf8'))
const folder = join(packages, '.cache', 'muster', `typebox-${version}`)

if (!existsSync(folder)) {
  // Made aside and moved, so that no process finds half of it.
  const made = `${folder}.${process.pid}`
  try {
    await bundle(made)
    renameSync(made, folder)
  } catch (error) {
    rmSync(made, { recursive: true, force: true })
    // Another process may have been first; without the folder everything works, and starts more slowly.
    if (!existsSync(folder))
      console.error(`Muster: typebox could not be bundled, commands start more slowly: ${String(error)}`)
  }
}

/** Bundles all entries at once: they share what registers formats and settings. */
async function bundle(outDir: string): Promise<void> {
  const places = Object.values(exports as Record<string, { readonly import: string }>).map((entry) =>
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
      lib: { entry: Object.fromEntries(places.map((place) => [place, place])), formats: ['es'] },
      rolldownOptions: { output: { entryFileNames: '[name]', chunkFileNames: 'shared/[name].mjs' } },
    },
  })
}
