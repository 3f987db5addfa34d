#!/usr/bin/env node
// The entry of the command line, in plain JavaScript: what Node makes JavaScript of TypeScript with stays in memory once
// a file had to pass through it, 18 MB, and files that it finds in the cache need not.
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import '../kernel/lib/process/bundled-packages.mjs'

const servesLong = ['serve', 'demo'].includes(process.argv[2] ?? '')

// V8's garbage collection, in all threads. They are set before anything is compiled: what is compiled with some flags is
// not taken from the cache with others.
// - Pages of lists lie outside of V8's heap. By default V8 collects the whole heap whenever some 32 MiB of such memory were
//   taken, which costs a list as much again. Counted together with the heap, they cause no collection of their own.
// - The heap grows by a quarter of what is alive between two collections. By default V8 lets it grow to several times that
//   where the machine has much memory.
const collection = ['--external-memory-accounted-in-global-limit', '--heap-growing-percent=25']

// A server replaces its process by one with limits that can only be set before it starts. Otherwise V8 takes up to 96 MiB
// for young objects, and glibc keeps up to eight arenas per core, each as large as its threads once needed. A block that is
// mapped on its own goes back to the system when it is free; in an arena it leaves a hole: a password that is hashed takes
// 19 MiB, a page of a list up to some MiB. A process that has a channel to its parent (`node --watch`) would lose it.
if (process.platform === 'linux' && servesLong && !process.env.GLIBC_TUNABLES && !process.send) {
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
if (servesLong) for (const flag of collection) setFlagsFromString(flag)

// What Node has compiled once it finds beside the packages the next time, and starts in half the time. Not in the folder
// for temporary files, where other users of the machine could leave code for us.
enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/muster'))
await import('./main.ts')
