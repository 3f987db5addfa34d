// `npm run console:build`: builds the console into console/dist, with a compressed copy of each file. Skipped if the inputs have
// not changed, unless `--force` is given. With `--lenient` a failure is printed but ignored, because the server can start
// without the console. Uses no network.
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
const inputs = ['console', 'contract', 'docs/guide', 'package-lock.json', 'scripts/build-console.ts']
const digest = inputsDigest(root, inputs, /(?:^|\/)(?:node_modules|dist)$|\.test\.tsx?$/)

if (process.argv.includes('--force') || !isCurrent()) build()

function isCurrent(): boolean {
  return existsSync(join(dist, 'index.html')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest
}

/** Builds in a temporary folder and moves the result into place, so concurrent builds do not interfere. */
function build(): void {
  const startedMs = performance.now()
  mkdirSync(join(root, '.cache'), { recursive: true })
  const folder = mkdtempSync(join(root, '.cache', 'console-'))
  const windows = process.platform === 'win32'
  const vite = join(root, 'node_modules', '.bin', windows ? 'vite.cmd' : 'vite')
  // The current runtime comes first on the path: the tools may need a newer one than that of the machine.
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

/** Precompresses files, so the server does not have to compress responses. */
function compressUnder(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || !/\.(?:html|js|css|svg|json)$/.test(entry.name)) continue
    const file = join(entry.parentPath, entry.name)
    const bytes = readFileSync(file)
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
    const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: quality }))
  }
}
