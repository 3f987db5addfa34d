import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'

/** Control groups as Linux has had them since 2016, and as they were before. */
const unified = '/sys/fs/cgroup'
const former = '/sys/fs/cgroup/cpu'
/**
 * So short that a process which has used up its part is let go on soon, and long enough for some ten requests: with 10 ms
 * they cost a fifth more processor time, since caches are cold whenever a process goes on.
 */
const periodMicroseconds = 50_000

/**
 * Holds a process, with all its threads, to a part of a core from now on, in a control group of its own.
 *
 * @param cores its part: 0.2 is a fifth of one core
 * @returns removes the group, once the process has ended; undefined where there are no control groups, or where they
 *   may not be written (by anybody but root, and in most containers)
 */
export function holdCpu(pid: number, cores: number): (() => void) | undefined {
  const isUnified = existsSync(`${unified}/cgroup.controllers`)
  const group = `${isUnified ? unified : former}/muster-bench-${pid}`
  const quota = Math.round(cores * periodMicroseconds)
  try {
    if (isUnified) writeFileSync(`${unified}/cgroup.subtree_control`, '+cpu')
    // One that an interrupted run has left serves as well.
    mkdirSync(group, { recursive: true })
  } catch {
    return undefined
  }
  try {
    if (isUnified) writeFileSync(`${group}/cpu.max`, `${quota} ${periodMicroseconds}`)
    else {
      writeFileSync(`${group}/cpu.cfs_period_us`, String(periodMicroseconds))
      writeFileSync(`${group}/cpu.cfs_quota_us`, String(quota))
    }
    writeFileSync(`${group}/cgroup.procs`, String(pid))
    return () => rmdirSync(group)
  } catch {
    rmdirSync(group)
    return undefined
  }
}
