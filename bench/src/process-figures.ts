import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks a second in `/proc`: 100 on every Linux that Node runs on. */
const ticksPerSecond = 100

/** The fields of `/proc/<pid>/stat` behind the name, which stands in brackets and may hold spaces. */
function statFields(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** Seconds of processor time that a process has used, user and system, all its threads. */
export function cpuSecondsOf(pid: number): number {
  const fields = statFields(pid)
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** The same of a process and its children, those that have ended included: PostgreSQL has one for each connection. */
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
      // A process of somebody else has ended meanwhile.
      return false
    }
  })
}

/** Resident memory of a process in MiB. */
export function residentMebibytesOf(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(line?.[1] ?? 0) / 1024
}

/** Seconds that all cores of the machine have had together since it started, and how many of them were idle. */
export function machineSeconds(): { all: number; idle: number } {
  const line = /^cpu +(.+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? ''
  // User, nice, system, idle, waiting for a disk, interrupts (two), stolen; what guests used is in user already.
  const ticks = line.split(' ').map(Number).slice(0, 8)
  const all = ticks.reduce((sum, each) => sum + each, 0)
  return { all: all / ticksPerSecond, idle: ((ticks[3] ?? 0) + (ticks[4] ?? 0)) / ticksPerSecond }
}
