import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks per second in `/proc`: 100 on every Linux that Node supports. */
const ticksPerSecond = 100

/** Returns the fields of `/proc/<pid>/stat` after the name, which is in parentheses and can contain spaces. */
function statFields(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** Returns the CPU time of a process in seconds: user and system, all threads. */
export function cpuSecondsOf(pid: number): number {
  const fields = statFields(pid)
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** Returns the CPU time of a process and its children, including ended ones. PostgreSQL has a child per connection. */
export function cpuSecondsWithChildrenOf(pid: number): number {
  const fields = statFields(pid)
  const own = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0) / ticksPerSecond
  return childrenOf(pid).reduce((sum, child) => sum + cpuSecondsOf(child), own)
}

function childrenOf(pid: number): number[] {
  const all = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return all.filter((process) => {
    try {
      return Number(statFields(process)[1]) === pid
    } catch {
      // The process has ended in the meantime.
      return false
    }
  })
}

const statusMebibytes = (pid: number, pattern: RegExp): number =>
  Number(pattern.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

/** Returns the resident memory of a process in MiB. */
export const residentMebibytesOf = (pid: number): number => statusMebibytes(pid, /^VmRSS:\s+(\d+) kB$/m)

/** Returns the largest resident memory that a process has had, in MiB. */
export const peakMebibytesOf = (pid: number): number => statusMebibytes(pid, /^VmHWM:\s+(\d+) kB$/m)

/** Returns the total time of all cores since the machine started, and their idle time, in seconds. */
export function machineSeconds(): { all: number; idle: number } {
  const line = /^cpu +(.+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? ''
  // User, nice, system, idle, I/O wait, IRQ, soft IRQ, steal. Guest time is included in user time.
  const ticks = line.split(' ').map(Number).slice(0, 8)
  const all = ticks.reduce((sum, each) => sum + each, 0)
  return { all: all / ticksPerSecond, idle: ((ticks[3] ?? 0) + (ticks[4] ?? 0)) / ticksPerSecond }
}
