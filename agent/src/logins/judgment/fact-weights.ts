/** Weight of a fact. A fact with `holds` keeps an attempt from succeeding while it is true. */
export interface FactWeight {
  readonly weight: number
  readonly holds?: true
}

/** Minimum score of a successful attempt. */
export const succeededAt = 10
/** Minimum score of a successful attempt whose page was left, when no more evidence can come. */
export const leftAt = 8
/** Maximum score of a failed attempt. */
export const failedAt = -10

/** Outweighs any sum of other facts. */
const certain = -100

/**
 * Facts about a login attempt and their weights: positive for success, negative for failure. Each fact comes from the
 * platform or the page's structure. No single fact reaches `succeededAt`.
 */
export const factWeights = {
  // Navigation since the form was submitted.
  /** Document at another address than the form's, after a redirect or by GET. */
  MOVED_ON: { weight: 3 },
  /** Address changed by a script of the form's own page. */
  ROUTE_CHANGED: { weight: 3 },
  /** Form response that is a redirect. */
  REDIRECTED: { weight: 1 },
  /** New document at the form's address, as after most failures. */
  SAME_ADDRESS: { weight: -3 },
  /** Navigation within the site by the employee, from a page without a form. */
  WENT_ON: { weight: 4 },
  /** Response page left for another address before it settled, and the new page shows no sign-out control. */
  LEFT_EARLY: { weight: 0, holds: true },
  /** Page ready and without a form for some seconds. */
  STAYED_BRIEFLY: { weight: 2 },
  /** Page without a form for longer than scripts take to draw one; adds to `STAYED_BRIEFLY`. */
  STAYED: { weight: 6 },
  /** New address with sign-in or error words, as after most failures that redirect. */
  SIGN_IN_ADDRESS: { weight: -4 },
  /** Window with the form closed by itself. */
  POPUP_CLOSED: { weight: 3 },
  /** Opener that navigated or changed right after the window closed. */
  OPENER_CHANGED: { weight: 5 },
  /** Frame with the form removed. */
  FRAME_GONE: { weight: 2 },

  // Server responses.
  /** Cookie set by a server of the site. Some failures set one as well. */
  COOKIE_SET: { weight: 2 },
  /** 2xx response to data that a script sent to the site. Some failures respond with 200 as well. */
  REQUEST_ACCEPTED: { weight: 2 },
  /** Only failure responses (400, 401, 403, 422, 429 …) to data that scripts sent to the site. */
  REQUEST_REFUSED: { weight: -8 },
  /** Form removed from its own document without any request: a dialog was closed. */
  NOTHING_ASKED: { weight: -8 },
  /** Same as `NOTHING_ASKED`, but a WebSocket is open that may have carried the response. */
  ASKED_UNSEEN: { weight: -4 },
  /** Document with status 400, 401, 403, 422 or 429. */
  DOCUMENT_REFUSED: { weight: -16 },
  /** Document with another error status, such as 404 or 500, which is unrelated to the login. */
  DOCUMENT_BROKEN: { weight: -6 },

  // Appearance of the page, compared with the time of submission.
  /** No form asks for a password or an identity. */
  FORM_GONE: { weight: 2 },
  /** Changed title or heading. */
  NEW_LOOK: { weight: 1 },
  /** Sign-out control that is visible now and was not before. */
  SIGN_OUT_SHOWN: { weight: 8 },
  /** Sign-out control in a closed menu that was not there before. */
  SIGN_OUT_HIDDEN: { weight: 6 },
  /** Account menu that is visible now and was not before. */
  ACCOUNT_MENU_SHOWN: { weight: 5 },
  /** Identity of the employee shown on the page now and not before. */
  IDENTITY_SHOWN: { weight: 5 },
  /** Link or button outside forms whose whole name is "Sign in": pages of a signed-in user have none. */
  SIGN_IN_CONTROL: { weight: -10 },
  /** Control named "Back to sign in", which the last step of a sign-in and a failed one have. */
  BACK_TO_SIGN_IN: { weight: 0, holds: true },
  /** Error next to a form, shown since the attempt. */
  NEW_ERROR_AT_FORM: { weight: -12 },
  /** Error elsewhere on the page, shown since the attempt. */
  NEW_ERROR: { weight: -9 },
  /** Alert with unknown wording on a page without a form, shown since the attempt. */
  NEW_ALERT: { weight: -1 },

  // Forms on the page.
  /** Same form in a new document, or one with the same user name filled in. */
  SAME_FORM: { weight: certain, holds: true },
  /** Different sign-in form in a new document. */
  OTHER_SIGN_IN_FORM: { weight: -20, holds: true },
  /** Another form with only a password field, for this login or for something else. */
  LONE_PASSWORD_FORM: { weight: -7 },
  /** Form that asks for the identity only, as a first step. */
  FIRST_STEP_FORM: { weight: -7 },
  /** Password form in a new document that is not a sign-in, such as a panel for changing the password. */
  OTHER_PASSWORD_FORM: { weight: -3 },
  /** Form still visible in its own document: the response may be on its way. */
  FORM_WAITS: { weight: 0, holds: true },
  /** Form still visible although all responses arrived and scripts are idle. */
  FORM_OUTLIVES_ANSWER: { weight: -3 },
  /** Form that stayed visible for seconds after a response and disappeared later. */
  FORM_OUTLIVED_ANSWER: { weight: -8 },

  // Second steps.
  /** Request for a second step, or for a code that confirms an address. */
  SECOND_STEP_ASKED: { weight: 0, holds: true },
  /** Second step with a code that disappeared without an observed code: it was abandoned or answered unseen. */
  CODE_NOT_ENTERED: { weight: -14 },
  /** Second step that was answered and is no longer requested. */
  SECOND_STEP_ANSWERED: { weight: 2 },

  /** CAPTCHA or similar challenge, which often follows a failure. */
  CHALLENGE_SHOWN: { weight: 0, holds: true },

  // The form itself.
  /** Sign-out control on the page with the form: somebody is signed in already. */
  SIGNED_IN_BEFORE: { weight: -20, holds: true },
  /** Form that changes a password, creates a user for somebody else or stores credentials of another server. */
  NO_SIGN_IN_FORM: { weight: -20, holds: true },
  /** Initial setup form: an account only if the user is signed in afterwards. */
  SETUP_FORM: { weight: -8 },

  // Not ready to be judged.
  /** Page that is loading, empty or marked as busy, or whose scripts wait for responses. */
  NOT_READY: { weight: 0, holds: true },
  /** Form or second step in another frame of the tab. */
  HELD_BY_FRAME: { weight: 0, holds: true },
} as const satisfies Readonly<Record<string, FactWeight>>

export type LoginFact = keyof typeof factWeights

export const loginFacts = Object.keys(factWeights) as readonly LoginFact[]
