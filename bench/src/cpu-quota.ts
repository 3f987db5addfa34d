import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'

/** Mount points of control groups, version 2 and version 1. */
const version2 = '/sys/fs/cgroup'
const version1 = '/sys/fs/cgroup/cpu'
/**
 * Scheduling period: short enough that a throttled process resumes soon, and long enough for about ten requests. With 10 ms,
 * requests cost a fifth more CPU time, since caches are cold after each pause.
 */
const periodMicroseconds = 50_000

/**
 * Limits a process, with all its threads, to a share of a core, in its own control group.
 *
 * @param cores the share: 0.2 is a fifth of one core
 * @returns a function that removes the group after the process has ended; undefined if there are no control groups, or no
 *   permission to write them (without root, and in most containers)
 */
export function limitCpu(pid: number, cores: number): (() => void) | undefined {
  const isVersion2 = existsSync(`${version2}/cgroup.controllers`)
  const group = `${isVersion2 ? version2 : version1}/muster-bench-${pid}`
  const quota = Math.round(cores * periodMicroseconds)
  try {
    if (isVersion2) writeFileSync(`${version2}/cgroup.subtree_control`, '+cpu')
    // The group may exist from an interrupted run.
    mkdirSync(group, { recursive: true })
  } catch {
    return undefined
  }
  try {
    if (isVersion2) writeFileSync(`${group}/cpu.max`, `${quota} ${periodMicroseconds}`)
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
