/** Weight of a fact. One that holds keeps an attempt from counting as a success while it is true. */
export interface FactWeight {
  readonly weight: number
  readonly holds?: true
}

/** Score from which an attempt succeeded. */
export const succeededAt = 10
/** Score from which an attempt succeeded whose page was left, when no more evidence can come. */
export const leftAt = 8
/** Score down to which an attempt failed. */
export const failedAt = -10

/** No sum of other facts reaches this. */
const certain = -100

/**
 * Facts about a login attempt and their weights: positive for a login, negative against one. Each is something that
 * the platform or the page's structure says. No fact for a login reaches `succeededAt` alone.
 */
export const factWeights = {
  // Navigation since the form was handed in.
  /** A document at another address than the form's, after a redirect or by GET. */
  MOVED_ON: { weight: 3 },
  /** The script of the form's own page went to another address. */
  ROUTE_CHANGED: { weight: 3 },
  /** A server answered the form with a redirect. */
  REDIRECTED: { weight: 1 },
  /** The document is again at the address of the form, as most refusals are. */
  SAME_ADDRESS: { weight: -3 },
  /** The employee went on within the site from a page without a form. */
  WENT_ON: { weight: 4 },
  /** The answer was left by typing another address before it came to rest, and nothing there signs out. */
  LEFT_EARLY: { weight: 0, holds: true },
  /** The page was ready and without a form for some seconds. */
  STAYED_BRIEFLY: { weight: 2 },
  /** The same for longer than scripts take to draw a form; holds beside the other. */
  STAYED: { weight: 6 },
  /** The other address names signing in or an error, as most refusals do that redirect. */
  SIGN_IN_ADDRESS: { weight: -4 },
  /** The window with the form closed itself. */
  POPUP_CLOSED: { weight: 3 },
  /** The page that had opened the window went elsewhere or changed at once after that. */
  OPENER_CHANGED: { weight: 5 },
  /** The frame with the form was taken away. */
  FRAME_GONE: { weight: 2 },

  // Answers of servers.
  /** A server of the site set a cookie. Also a refusal may. */
  COOKIE_SET: { weight: 2 },
  /** A script sent something to the site and the answer was 2xx. A refusal may be 200 as well. */
  REQUEST_ACCEPTED: { weight: 2 },
  /** A script sent something to the site, and every answer was a refusal (400, 401, 403, 422, 429 …). */
  REQUEST_REFUSED: { weight: -8 },
  /** The form went away in its own document though no script asked a server for anything: a dialog was closed. */
  NOTHING_ASKED: { weight: -8 },
  /** The same where a WebSocket is open: the answer may have come over it. */
  ASKED_UNSEEN: { weight: -4 },
  /** The document came with 400, 401, 403, 422 or 429. */
  DOCUMENT_REFUSED: { weight: -16 },
  /** The document came with another error, such as 404 or 500: says nothing of the login. */
  DOCUMENT_BROKEN: { weight: -6 },

  // Look of the page, compared with its look when the form was handed in.
  /** No form asks for a password or for who somebody is. */
  FORM_GONE: { weight: 2 },
  /** Title or heading are other ones. */
  NEW_LOOK: { weight: 1 },
  /** A control that signs out can be seen, and could not before. */
  SIGN_OUT_SHOWN: { weight: 8 },
  /** A control that signs out is in a closed menu, and was not before. */
  SIGN_OUT_HIDDEN: { weight: 6 },
  /** An account menu can be seen, and could not before. */
  ACCOUNT_MENU_SHOWN: { weight: 5 },
  /** The page shows who signed in, and did not before. */
  IDENTITY_SHOWN: { weight: 5 },
  /** A link or button beside forms whose whole name is "Sign in": pages of somebody who is signed in have none. */
  SIGN_IN_CONTROL: { weight: -10 },
  /** An error beside a form, shown since the attempt. */
  NEW_ERROR_AT_FORM: { weight: -12 },
  /** An error elsewhere on the page, shown since the attempt. */
  NEW_ERROR: { weight: -9 },
  /** An alert in words that are not known, shown since the attempt, on a page without a form. */
  NEW_ALERT: { weight: -1 },

  // Forms on the page.
  /** A new document has the same form, or one with the same user name in it. */
  SAME_FORM: { weight: certain, holds: true },
  /** A new document has another form for signing in. */
  OTHER_SIGN_IN_FORM: { weight: -20, holds: true },
  /** The page has another form that asks for nothing but a password: of the login, or of something else. */
  LONE_PASSWORD_FORM: { weight: -7 },
  /** A document asks for who somebody is, as a first step. */
  FIRST_STEP_FORM: { weight: -7 },
  /** A new document has a form with a password that is no sign-in, such as a panel for changing it. */
  OTHER_PASSWORD_FORM: { weight: -3 },
  /** The form is still there in its own document: the answer may be on its way. */
  FORM_WAITS: { weight: 0, holds: true },
  /** The form is still there though all answers came and scripts are quiet. */
  FORM_OUTLIVES_ANSWER: { weight: -3 },
  /** The form was still there for seconds after an answer, and went away later. */
  FORM_OUTLIVED_ANSWER: { weight: -8 },

  // Second steps.
  /** The page asks for a second step, or for a code that confirms an address. */
  SECOND_STEP_ASKED: { weight: 0, holds: true },
  /** A second step that needs a code is gone without one: given up, or answered in a way that was not seen. */
  CODE_NOT_ENTERED: { weight: -14 },
  /** A second step was answered, and the page no longer asks for it. */
  SECOND_STEP_ANSWERED: { weight: 2 },

  /** The page asks for a proof that a person is there: often after a refusal. */
  CHALLENGE_SHOWN: { weight: 0, holds: true },

  // The form itself.
  /** The page with the form showed a control that signs out: somebody is signed in already. */
  SIGNED_IN_BEFORE: { weight: -20, holds: true },
  /** The form changes a password, creates a user for somebody else or keeps credentials of another server. */
  NO_SIGN_IN_FORM: { weight: -20, holds: true },
  /** The form sets a site up: an account only if the person is signed in after it. */
  SETUP_FORM: { weight: -8 },

  // Not yet to be judged.
  /** The page is loading, empty, marked as busy, or its scripts wait for answers. */
  NOT_READY: { weight: 0, holds: true },
  /** Another frame of the tab shows a form or a second step. */
  HELD_BY_FRAME: { weight: 0, holds: true },
} as const satisfies Readonly<Record<string, FactWeight>>

export type LoginFact = keyof typeof factWeights

export const loginFacts = Object.keys(factWeights) as readonly LoginFact[]
