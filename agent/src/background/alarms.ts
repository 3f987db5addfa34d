import { browser } from 'wxt/browser'

/**
 * Minimum delay of a browser alarm. Browsers stop the background after half a minute without work, and alarms wake it.
 * Shorter waits use timers, which keep the background alive, plus an alarm in case it is stopped anyway.
 */
const minimumAlarmMs = 30_000

type AlarmName = 'heartbeat' | 'deliver'

const timers = new Map<AlarmName, ReturnType<typeof setTimeout>>()
const callbacks = new Map<AlarmName, () => void>()

/** Sets the callback of an alarm. Call while the background starts, or browsers do not wake it. */
export function onAlarm(name: AlarmName, callback: () => void): void {
  callbacks.set(name, callback)
}

/** Listens to the alarms. Call while the background starts. */
export function listenToAlarms(): void {
  browser.alarms.onAlarm.addListener(({ name }) => callbacks.get(name as AlarmName)?.())
}

/** Calls back within a given time, unless an earlier call is already pending. */
export async function wakeWithin(name: AlarmName, waitMs: number): Promise<void> {
  if (!timers.has(name)) await wakeAfter(name, waitMs)
}

/** Calls back once after a given time, also if the background is stopped meanwhile. Replaces a pending call. */
export async function wakeAfter(name: AlarmName, waitMs: number): Promise<void> {
  clearTimeout(timers.get(name))
  timers.delete(name)
  if (waitMs < minimumAlarmMs)
    timers.set(
      name,
      setTimeout(() => {
        timers.delete(name)
        callbacks.get(name)?.()
      }, waitMs),
    )
  const leastMs = Math.max(minimumAlarmMs, waitMs)
  const alarm = { when: Date.now() + leastMs }
  // Repeats heartbeats in case the background is stopped before it has set the next alarm.
  const again = name === 'heartbeat' ? { periodInMinutes: leastMs / 60_000 } : {}
  await browser.alarms.create(name, { ...alarm, ...again })
}
