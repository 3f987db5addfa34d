import type { Detection, detectionResponses, severities } from '@muster/contract/detection'

export type Severity = (typeof severities)[number]
export type Response = (typeof detectionResponses)[number]

/** What an event says of an attack or a dangerous act, before it is known which detection it belongs to. */
export interface Sighting
  extends Pick<
    Detection,
    'detectionType' | 'severity' | 'response' | 'appId' | 'appType' | 'url' | 'referrerUrl'
  > {
  /** What it is about: with employee, browser and type it says which sightings are one detection. */
  readonly subject: string
}

/** The app that a sighting is about. */
export type SightedApp = Pick<Detection, 'appId' | 'appType'>

export const noApp: SightedApp = { appId: null, appType: null }
