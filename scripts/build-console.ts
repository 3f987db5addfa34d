// `npm run console:build`: builds the page of the console into console/dist, with each file compressed beside it, unless
// what is there was built from the same inputs. `--force` builds in any case; with `--lenient` a failure is told and no
// more, for starts, which can do without it. Nothing is fetched from the network.
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { inputsDigest } from './build-inputs.ts'

const root = dirname(import.meta.dirname)
const page = join(root, 'console')
const dist = join(page, 'dist')
const stamp = join(dist, 'inputs.sha256')
const inputs = ['console', 'contract', 'package-lock.json', 'scripts/build-console.ts']
const digest = inputsDigest(root, inputs, /(?:^|\/)(?:node_modules|dist)$|\.test\.tsx?$/)

if (process.argv.includes('--force') || !isCurrent()) build()

function isCurrent(): boolean {
  return existsSync(join(dist, 'index.html')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest
}

/** Builds into a folder of its own and then moves it into place, so that two builds at once do no harm. */
function build(): void {
  const startedMs = performance.now()
  mkdirSync(join(root, '.cache'), { recursive: true })
  const folder = mkdtempSync(join(root, '.cache', 'console-'))
  const windows = process.platform === 'win32'
  const vite = join(root, 'node_modules', '.bin', windows ? 'vite.cmd' : 'vite')
  // The runtime that runs this comes first, because the tools may need a newer one than the machine has.
  const { PATH: path = '', ...environment } = process.env
  const PATH = `${dirname(process.execPath)}${windows ? ';' : ':'}${path}`
  const result = spawnSync(vite, ['build', '--logLevel', 'warn', '--outDir', folder, '--emptyOutDir'], {
    cwd: page,
    encoding: 'utf8',
    env: { ...environment, PATH, NODE_ENV: 'production' },
    shell: windows,
  })
  if (result.status === 0) {
    compressUnder(folder)
    writeFileSync(join(folder, 'inputs.sha256'), digest)
    rmSync(dist, { recursive: true, force: true })
    renameSync(folder, dist)
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
    console.log(`Muster: console built in ${seconds} s (console/dist)`)
  } else {
    rmSync(folder, { recursive: true, force: true })
    console.error(`${result.stdout ?? ''}${result.stderr ?? result.error?.message ?? ''}`)
    console.error('Muster: the console could not be built: see above.')
    process.exitCode = process.argv.includes('--lenient') ? 0 : 1
  }
}

/** Compresses once and well what would else be compressed at each request. */
function compressUnder(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || !/\.(?:html|js|css|svg)$/.test(entry.name)) continue
    const file = join(entry.parentPath, entry.name)
    const bytes = readFileSync(file)
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
    const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: quality }))
  }
}
