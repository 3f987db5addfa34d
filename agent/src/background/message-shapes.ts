import { AppBannerEvent, PageThreatEvent } from '@muster/contract/agent/agent-event'
import { type TSchema, Type } from 'typebox'
import { observationRules } from '../logins/observation-rules.ts'
import type { MessageKind } from '../messages.ts'
import type { RateBound } from './message-rate.ts'

/** Allowed senders, shape and rate limit of a message kind. */
export interface MessageRule {
  /** `PAGE` for content scripts; otherwise the names of the agent's own pages. */
  readonly from: 'PAGE' | readonly string[]
  readonly shape: TSchema
  readonly rate: RateBound
}

const strictObject = (properties: Record<string, TSchema>) =>
  Type.Object(properties, { additionalProperties: false })
const nothing = strictObject({})

const { id: _id, timestamp: _timestamp, url: _url, ...pageThreat } = PageThreatEvent.properties
const { id: _bannerEvent, timestamp: _shown, host: _host, ...appBanner } = AppBannerEvent.properties

const pageReport = Type.Union([
  strictObject(pageThreat as Record<string, TSchema>),
  strictObject(appBanner as Record<string, TSchema>),
])

const request = Type.String({ minLength: 36, maxLength: 36 })
const seldom: RateBound = { burst: 20, perSecond: 1 }
/** Messages that every frame of a page sends once. */
const eachFrame: RateBound = { burst: 500, perSecond: 50 }

/** Rules of all message kinds. */
export const messageRules: Readonly<Record<MessageKind, MessageRule>> = {
  ...observationRules,
  report: { from: 'PAGE', shape: strictObject({ report: pageReport }), rate: seldom },
  inject: {
    from: 'PAGE',
    shape: strictObject({ script: Type.Enum(['observe', 'login', 'features', 'warn']) }),
    rate: eachFrame,
  },
  pageOpened: { from: 'PAGE', shape: nothing, rate: eachFrame },
  getPagePolicy: { from: 'PAGE', shape: strictObject({ hasWords: Type.Boolean() }), rate: eachFrame },
  getBanner: { from: 'PAGE', shape: nothing, rate: eachFrame },
  leavePage: { from: 'PAGE', shape: strictObject({ to: Type.Enum(['BACK', 'EMPTY']) }), rate: seldom },
  enrollmentPage: { from: 'PAGE', shape: nothing, rate: { burst: 3, perSecond: 0.1 } },
  getStatus: { from: ['popup.html'], shape: nothing, rate: seldom },
  reportNow: { from: ['popup.html'], shape: nothing, rate: seldom },
  getPendingEnrollment: { from: ['enroll.html'], shape: strictObject({ request }), rate: seldom },
  answerEnrollment: {
    from: ['enroll.html'],
    shape: strictObject({ request, connect: Type.Boolean() }),
    rate: seldom,
  },
  getJudgments: { from: ['debug.html'], shape: nothing, rate: seldom },
  blockPage: { from: ['block.html'], shape: nothing, rate: seldom },
}
