import type { Account } from '@muster/contract/records/account'
import type { Browser } from '@muster/contract/records/browser'
import type { Detection } from '@muster/contract/records/detection'
import type { Finding } from '@muster/contract/records/finding'
import { recordPath } from '../../list/record-path.ts'

/** An entry of the timeline. */
export interface Moment {
  readonly key: string
  readonly timestamp: number
  /** Kind of the entry. */
  readonly kind: 'DETECTION' | 'FINDING_OPEN' | 'FINDING_RESOLVED' | 'ACCOUNT' | 'BROWSER'
  /** Contract value with details, for example the detection type. */
  readonly subject: string
  readonly path: string
}

/** Builds the timeline of a person, latest first. */
export function timelineOf(
  observed: {
    readonly detections: readonly Pick<Detection, 'id' | 'detectionType' | 'creationTimestamp'>[]
    readonly findings: readonly Pick<Finding, 'id' | 'type' | 'state' | 'lastUpdatedTimestamp'>[]
    readonly accounts: readonly Pick<Account, 'id' | 'appType' | 'creationTimestamp'>[]
    readonly browsers: readonly Pick<Browser, 'id' | 'browser' | 'creationTimestamp'>[]
  },
  most: number,
): Moment[] {
  const moments: Omit<Moment, 'key'>[] = [
    ...observed.detections.map(({ id, detectionType, creationTimestamp }) => ({
      timestamp: creationTimestamp,
      kind: 'DETECTION' as const,
      subject: detectionType,
      path: recordPath('/detections/$id', id),
    })),
    ...observed.findings.map(({ id, type, state, lastUpdatedTimestamp }) => ({
      timestamp: lastUpdatedTimestamp,
      kind: state === 'OPEN' ? ('FINDING_OPEN' as const) : ('FINDING_RESOLVED' as const),
      subject: type,
      path: recordPath('/findings/$id', id),
    })),
    ...observed.accounts.map(({ id, appType, creationTimestamp }) => ({
      timestamp: creationTimestamp,
      kind: 'ACCOUNT' as const,
      subject: appType,
      path: recordPath('/accounts/$id', id),
    })),
    ...observed.browsers.map(({ id, browser, creationTimestamp }) => ({
      timestamp: creationTimestamp,
      kind: 'BROWSER' as const,
      subject: browser,
      path: recordPath('/browsers/$id', id),
    })),
  ]
  return moments
    .sort((one, other) => other.timestamp - one.timestamp)
    .slice(0, most)
    .map((moment) => ({ ...moment, key: `${moment.kind} ${moment.path}` }))
}
