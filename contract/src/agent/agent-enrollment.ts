import { type Static, Type } from 'typebox'
import { closed, nullable, text } from '../api/fields.ts'
import { BrowserFacts } from './agent-event.ts'

/** Body of `POST /agent/v1/enrol` (domain contract, section 1). */
export const EnrollmentRequest = closed(
  {
    token: text(
      'The one-use token of an enrollment link, or the enrollment token of the organization from browser policy.',
      'Yx2v…',
      256,
      1,
    ),
    identity: Type.Optional(
      nullable(
        text(
          "E-mail address of the employee from `identity` in the browser policy. It takes precedence over the profile's address.",
          'ada.byron@example.com',
          254,
          1,
        ),
      ),
    ),
    browser: BrowserFacts,
  },
  { $id: 'EnrollmentRequest', description: 'A browser asks to be enrolled.' },
)
export type EnrollmentRequest = Static<typeof EnrollmentRequest>

/** Response to an enrollment. The credential is shown once; `policyVersion` makes the agent fetch its policy. */
export interface EnrollmentAnswer {
  readonly browserId: string
  /** Bearer token of this browser: `mbc_` and 43 characters of base64url, 256 random bits. */
  readonly credential: string
  readonly policyVersion: string
}

/** The keys of `chrome.storage.managed` (domain contract, section 1). */
export const ManagedConfiguration = Type.Object(
  {
    serverUrl: Type.Optional(
      text(
        'The address of the server; it cannot be changed by a link.',
        'https://muster.example.com',
        2048,
        1,
      ),
    ),
    enrolmentToken: Type.Optional(text('The enrollment token of the organization.', 'met_…', 256, 1)),
    identity: Type.Optional(
      text(
        "The employee's e-mail address, where the browser profile does not tell it.",
        'ada.byron@example.com',
        254,
        1,
      ),
    ),
  },
  { description: 'Settings from device management.' },
)
export type ManagedConfiguration = Static<typeof ManagedConfiguration>
