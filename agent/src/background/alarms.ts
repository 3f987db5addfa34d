import { browser } from 'wxt/browser'

/**
 * What wakes the background: browsers stop it after half a minute without work. Alarms come no more often than
 * every 30 seconds, so shorter waits are timers, which keep it awake, with an alarm in case it is stopped anyway.
 */
const alarmLeastMs = 30_000

type AlarmName = 'heartbeat' | 'deliver'

const timers = new Map<AlarmName, ReturnType<typeof setTimeout>>()
const callbacks = new Map<AlarmName, () => void>()

/** Says what an alarm does. Must be called while the background starts, or browsers do not wake it. */
export function onAlarm(name: AlarmName, callback: () => void): void {
  callbacks.set(name, callback)
}

/** Listens to the alarms. Must be called while the background starts. */
export function listenToAlarms(): void {
  browser.alarms.onAlarm.addListener(({ name }) => callbacks.get(name as AlarmName)?.())
}

/** Calls back within a wait: an earlier call that is under way will do. */
export async function wakeWithin(name: AlarmName, waitMs: number): Promise<void> {
  if (!timers.has(name)) await wakeAfter(name, waitMs)
}

/** Calls back once after a wait, also if the background is stopped meanwhile; it takes the place of an earlier call. */
export async function wakeAfter(name: AlarmName, waitMs: number): Promise<void> {
  clearTimeout(timers.get(name))
  timers.delete(name)
  if (waitMs < alarmLeastMs)
    timers.set(
      name,
      setTimeout(() => {
        timers.delete(name)
        callbacks.get(name)?.()
      }, waitMs),
    )
  const leastMs = Math.max(alarmLeastMs, waitMs)
  const alarm = { when: Date.now() + leastMs }
  // A heartbeat comes again also if the background is ended before it has set the next one.
  const again = name === 'heartbeat' ? { periodInMinutes: leastMs / 60_000 } : {}
  await browser.alarms.create(name, { ...alarm, ...again })
}
