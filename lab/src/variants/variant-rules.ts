import type { Variant } from './variant-dimensions.ts'

const isRefused = ({ story }: Variant): boolean => story === 'wrong'
const hasRefusal = ({ story }: Variant): boolean => story.startsWith('wrong')

/** Returns true if a script submits the form. */
export const byScript = ({ refusal }: Variant): boolean => refusal.startsWith('fetch-')

const formLandings: readonly string[] = ['opacity', 'off-screen', 'inert', 'display-none', 'behind']
/** Routes that need a form submitted as a document. */
export const documentRoutes: readonly string[] = [
  'redirect',
  'same-address',
  'page-200',
  'two-hosts',
  'meta-refresh',
]
const endings: readonly string[] = [
  'page-lockout',
  'page-captcha',
  'fetch-captcha',
  'fetch-lockout',
  'fetch-reload',
]
const frames: readonly string[] = ['iframe', 'foreign-iframe', 'popup']

/** Rules that make a combination invalid, each with its reason. */
const exclusions: readonly (readonly [reason: string, applies: (variant: Variant) => boolean])[] = [
  ['the route belongs to another way of sending', (v) => byScript(v) === documentRoutes.includes(v.route)],
  [
    'a form that stays in the page needs the same document',
    (v) => formLandings.includes(v.landing) && !['redraw', 'hash', 'push-state'].includes(v.route),
  ],
  ['a form without names is sent by a script', (v) => v.naming === 'none' && !byScript(v)],
  ['a form in several steps on one page is sent by a script', (v) => v.structure === 'steps' && !byScript(v)],
  ['the page of the first step is a document', (v) => v.structure === 'page-steps' && byScript(v)],
  [
    'after a refusal that replaces the form there is no next attempt',
    (v) => hasRefusal(v) && !isRefused(v) && endings.includes(v.refusal),
  ],
  [
    'a replaced or rerendered field is not in a closed root, nor in steps',
    (v) =>
      ['replaced', 'rerendered'].includes(v.secret) &&
      ['closed-shadow', 'steps', 'page-steps'].includes(v.structure),
  ],
  [
    'keys only in a closed root',
    (v) => v.structure === 'closed-shadow' && ['pasted', 'filled', 'wrong-twice-right'].includes(v.story),
  ],
  [
    'a frame or popup has one simple outcome',
    (v) =>
      frames.includes(v.structure) &&
      (!['typed', 'entered', 'wrong', 'wrong-then-right'].includes(v.story) ||
        v.step !== 'none' ||
        endings.includes(v.refusal) ||
        !['redirect', 'redraw'].includes(v.route)),
  ],
  [
    'a code in the form of the password is not in steps',
    (v) => v.step === 'totp-same-form' && v.structure.endsWith('steps'),
  ],
  [
    'a code in the form of the password is right or wrong with it',
    (v) =>
      v.step === 'totp-same-form' &&
      (v.stepEnd !== 'right' || v.stepPlace !== 'page' || v.structure === 'closed-shadow'),
  ],
  [
    'a step has an end, none has only one',
    (v) => v.step === 'none' && (v.stepEnd !== 'right' || v.stepPlace !== 'page'),
  ],
  [
    'only codes can be wrong',
    (v) => ['push', 'number', 'key'].includes(v.step) && v.stepEnd.startsWith('wrong'),
  ],
  ['one page draws the step only for a script', (v) => v.stepPlace === 'spa' && !byScript(v)],
  [
    'a form that stays or a bare cookie has no second step on a page of its own',
    (v) =>
      v.step !== 'none' &&
      v.stepPlace === 'page' &&
      byScript(v) &&
      (formLandings.includes(v.landing) || v.route === 'redraw'),
  ],
  [
    'refused attempts see neither landing nor step',
    (v) => isRefused(v) && (v.landing !== 'dashboard' || v.step !== 'none'),
  ],
  [
    'a person who leaves sees nothing',
    (v) => v.story === 'leave' && (v.landing !== 'dashboard' || v.step !== 'none' || v.delay > 0),
  ],
  [
    'how errors and late forms look matters only for refusals',
    (v) => !hasRefusal(v) && (v.error !== 'inline' || (v.redraw !== 0 && byScript(v))),
  ],
  [
    'a late form belongs to a new document or to an answer that replaces it',
    (v) => v.redraw !== 0 && (endings.includes(v.refusal) || v.structure === 'page-steps'),
  ],
  [
    'going back or reloading is for pages of their own',
    (v) => ['back', 'reload'].includes(v.story) && v.step !== 'none' && v.stepEnd !== 'right',
  ],
  [
    'other tasks are plain forms',
    (v) =>
      v.task !== 'login' &&
      (!['typed', 'filled'].includes(v.story) ||
        v.structure !== 'form' ||
        v.secret !== 'masked' ||
        v.step !== 'none' ||
        v.button !== 'button' ||
        v.landing !== 'dashboard' ||
        !['redirect', 'redraw'].includes(v.route)),
  ],
]

/** Reason why a combination cannot exist; undefined if it can. */
export const exclusionOf = (variant: Variant): string | undefined =>
  exclusions.find(([, applies]) => applies(variant))?.[0]
