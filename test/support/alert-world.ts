import type { AlertRule, alertDefaults } from '@muster/contract/console/alerts/alert-rule'
import type { AlertDelivery } from '@muster/contract/console/alerts/console-alerts'
import { type Detection, detections } from '@muster/contract/records/detection'
import { type Employee, employees } from '@muster/contract/records/employee'
import { unixSeconds } from '../../server/src/kernel/lib/clock.ts'
import { routeEvents } from '../../server/src/modules/alerts/route-events.ts'
import { alertSender } from '../../server/src/modules/alerts/send-alert.ts'
import { findSilentAgents } from '../../server/src/modules/alerts/silent-agents.ts'
import { writeMessages } from '../../server/src/modules/alerts/write-messages.ts'
import { mailer } from '../../server/src/modules/notices/mail.ts'
import { startNoticeSender } from '../../server/src/modules/notices/notice-sender.ts'
import { refreshMarkedScores } from '../../server/src/modules/risk/risk-job.ts'
import { startDeliverer } from '../../server/src/modules/webhooks/delivery/deliverer.ts'
import { webhookSender } from '../../server/src/modules/webhooks/delivery/webhook-sender.ts'
import type { SignedIn } from './console-browser.ts'
import { aDetection, anEmployee, asShownInDetection, put } from './fixtures.ts'
import type { Harness } from './harness.ts'

const publicUrl = 'https://muster.test'
export const allowsLoopback = { allowPrivate: true } as const
/** Key of PagerDuty in tests. */
export const integrationKey = 'e93facc04764012d7bfb002500d5d1a6'

type RuleInput = Partial<
  Pick<AlertRule, keyof typeof alertDefaults | 'name' | 'triggers' | 'destination'>
> & {
  readonly enabled?: boolean
  readonly target?: { readonly url?: string; readonly key?: string }
}

/** Adds a rule in the console: all detections at once to a webhook, unless given otherwise. */
export async function addRule(who: SignedIn, input: RuleInput): Promise<AlertRule> {
  const body = { name: 'Test', triggers: ['DETECTION'], destination: 'WEBHOOK', ...input }
  const response = await who.call('POST', 'alerts', body)
  if (response.status !== 200) throw new Error(response.text)
  return response.body
}

/** Reads the log of a rule. */
export const logOf = async (who: SignedIn, { id }: Pick<AlertRule, 'id'>): Promise<AlertDelivery[]> =>
  (await who.call('GET', `alerts/${id}/deliveries`)).body.deliveries

/** Does what the jobs of the server do: scores, routing, writing. Waits until events have settled. */
export async function writeAlerts(h: Harness): Promise<void> {
  h.clock.advanceMs(5000)
  await refreshMarkedScores(h)
  const timeZoneOf = (org: number) => h.settings.of(org).timeZone
  await findSilentAgents(h.db, h.clock.nowMs(), timeZoneOf)
  await routeEvents(h.db, h.clock.nowMs(), timeZoneOf)
  await writeMessages(h.db, h.clock.nowMs(), publicUrl)
}

/** Sends what is due: requests, and e-mails if a mail server is given. */
export async function sendAlerts(
  h: Harness,
  { answerWithinMs, smtpUrl }: { readonly answerWithinMs?: number; readonly smtpUrl?: string } = {},
): Promise<void> {
  const { db, clock, keys, log, dataDir } = h
  const sender = webhookSender({ ...allowsLoopback, answerWithinMs: answerWithinMs ?? 5000 })
  const key = keys.webhookSecrets
  const sendAlert = alertSender(db, sender, key)
  const workers = [startDeliverer({ db, clock, key, log, sender, sendAlert, pollMs: 20 })]
  if (smtpUrl !== undefined) {
    const mail = mailer({ smtpUrl, from: 'Muster <muster@muster.test>', dataDir, nameOf: () => 'mail' })
    workers.push(startNoticeSender({ db, clock, mailerOf: () => mail, publicUrl, log }))
  }
  for (const worker of workers) await worker.idle()
  for (const worker of workers) await worker.stop()
}

/** Writes and sends what is due. */
export async function alertNow(h: Harness, options?: Parameters<typeof sendAlerts>[1]): Promise<void> {
  await writeAlerts(h)
  await sendAlerts(h, options)
}

/** Adds an employee. */
export async function addEmployee(
  h: Harness,
  org: number,
  members: Partial<Employee> = {},
): Promise<Employee> {
  const person = anEmployee(members)
  await put(h, org, employees, [person])
  return person
}

/** Adds an open detection of an employee, now. */
export async function addDetection(
  h: Harness,
  org: number,
  person: Employee,
  members: Partial<Detection> = {},
): Promise<Detection> {
  const at = unixSeconds(h.clock)
  const detection = aDetection({
    employeeId: person.id,
    employee: asShownInDetection(person),
    appId: null,
    appType: null,
    archived: false,
    creationTimestamp: at,
    lastActivityTimestamp: at,
    ...members,
  })
  await put(h, org, detections, [detection])
  return detection
}
