#!/usr/bin/env node
// Entry point of the command line. Plain JavaScript, because Node's TypeScript compiler stays in memory (18 MB) once it has
// compiled a file. TypeScript files in the compile cache do not need it.
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import '../kernel/lib/process/bundled-packages.mjs'

const [, , command = '', ...words] = process.argv
const isServer = command === 'serve' || (command === 'demo' && words.includes('--serve'))

// Flags of V8's garbage collection, for all threads. Set before anything is compiled: code compiled with other flags is not
// taken from the cache.
// - List pages are external memory. By default V8 collects the whole heap after about 32 MiB of it, which doubles the cost of
//   a list. Accounted together with the heap, external memory does not trigger collections of its own.
// - Between two collections the heap grows by a quarter of the live objects. By default V8 lets it grow several times that on
//   machines with much memory.
const collection = ['--external-memory-accounted-in-global-limit', '--heap-growing-percent=25']

// A server replaces its process to set limits that only apply at start. Otherwise V8 uses up to 96 MiB for young objects, and
// glibc keeps up to eight arenas per core at their peak size. A large block mapped on its own is returned to the system when
// freed, but leaves a hole in an arena: hashing a password takes 19 MiB, a list page up to some MiB. Not done with an IPC
// channel to the parent (`node --watch`), which would be lost.
if (process.platform === 'linux' && isServer && !process.env.GLIBC_TUNABLES && !process.send) {
  const flags = [...collection, '--max-semi-space-size=4', '--memory-saver-mode']
  const malloc = { arena_max: 2, mmap_threshold: 2 ** 18, trim_threshold: 2 ** 20 }
  process.execve(
    process.execPath,
    [process.execPath, ...process.execArgv, ...flags, ...process.argv.slice(1)],
    {
      ...process.env,
      GLIBC_TUNABLES: Object.entries(malloc)
        .map(([name, value]) => `glibc.malloc.${name}=${value}`)
        .join(':'),
      MUSTER_REPLACE_WHEN_COLD: '1',
    },
  )
}
if (isServer) for (const flag of collection) setFlagsFromString(flag)

// The compile cache halves the start time. It is next to the packages, not in the folder for temporary files, where other
// users could place code.
enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/muster'))
await import('./main.ts')
