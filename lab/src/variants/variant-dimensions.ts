import { languages } from './variant-texts.ts'

/**
 * All dimensions of a page variant with their values. The first value is the plain one. Each value exists in real
 * products.
 */
export const dimensions = {
  /** Kind of form; only `login` and `sign-up` may report a login. */
  task: [
    'login',
    'sign-up',
    'sign-up-mail-code',
    'sign-up-taken',
    'checkout-account',
    'own-password',
    'own-password-named',
    'other-user',
    'server-connection',
    'site-setup',
    'invite',
    'search',
    'newsletter',
    'checkout-guest',
    'api-token',
    'pin-unlock',
    'vpn-profile',
    'delete-confirm',
  ],
  /** Behavior of the person. */
  story: [
    'typed',
    'entered',
    'pasted',
    'filled',
    'wrong',
    'wrong-then-right',
    'wrong-twice-right',
    'leave',
    'back',
    'second-tab',
    'reload',
  ],
  language: languages,
  /** Text that identifies the person. */
  who: ['mail', 'name', 'number'],
  /** Values of `name` and `id`. */
  naming: ['telling', 'random', 'none'],
  label: ['for', 'wrapped', 'preceding', 'labelledby', 'aria-label', 'placeholder', 'floating'],
  autocomplete: ['none', 'right', 'off'],
  structure: [
    'form',
    'no-form',
    'outside-button',
    'open-shadow',
    'closed-shadow',
    'nested-shadow',
    'iframe',
    'foreign-iframe',
    'popup',
    'dialog',
    'modal',
    'steps',
    'page-steps',
    'tabs',
    'both-forms',
    'header',
  ],
  /** Treatment of the password field. */
  secret: ['masked', 'shown', 'css-masked', 'replaced', 'readonly', 'rerendered'],
  button: ['button', 'input', 'enter-only', 'div', 'anchor', 'icon'],
  /** Response to a failed attempt; `page` and `document` submit the form, `fetch` does not. */
  refusal: [
    'page-303',
    'page-302',
    'page-200',
    'page-401',
    'page-lockout',
    'page-captcha',
    'fetch-200',
    'fetch-401',
    'fetch-403',
    'fetch-422',
    'fetch-429',
    'fetch-500',
    'fetch-captcha',
    'fetch-lockout',
    'fetch-reload',
  ],
  /** Way to the next page after a successful attempt. */
  route: [
    'redirect',
    'same-address',
    'page-200',
    'two-hosts',
    'meta-refresh',
    'redraw',
    'hash',
    'push-state',
    'replace',
    'reload',
  ],
  /** Delay of the server's response in ms. */
  delay: [0, 300, 1_500, 4_000, 8_000],
  /** Time until a script draws the form again after a failure, in ms. */
  redraw: [0, 600, 1_200, 2_500, 5_000, 10_000],
  error: [
    'inline',
    'toast',
    'toast-stays',
    'title',
    'alert',
    'aria-live',
    'shake',
    'red-border',
    'aria-invalid',
  ],
  landing: [
    'dashboard',
    'bare',
    'change-password',
    'unrelated-password',
    'newsletter',
    'search',
    'denied-alert',
    'opacity',
    'off-screen',
    'inert',
    'display-none',
    'behind',
    'stay-signed-in',
    'passkey-offer',
    'cookie-only',
  ],
  step: [
    'none',
    'totp',
    'totp-boxes',
    'totp-hidden-boxes',
    'totp-form-submit',
    'totp-same-form',
    'sms',
    'mail',
    'voice',
    'push',
    'number',
    'key',
    'backup',
    'untold',
  ],
  stepPlace: ['page', 'spa'],
  stepEnd: ['right', 'wrong-then-right', 'wrong', 'abandoned', 'remembered'],
  cpu: [1, 2, 4, 6],
} as const

export type Dimension = keyof typeof dimensions

/** One value of each dimension. */
export type Variant = { readonly [D in Dimension]: (typeof dimensions)[D][number] }

/** The plain variant: the first value of each dimension. */
export const plainVariant = Object.fromEntries(
  Object.entries(dimensions).map(([name, values]) => [name, values[0]]),
) as unknown as Variant

/** A variant that differs from the plain one in some dimensions. */
export const variantWith = (different: Partial<Variant>): Variant => ({ ...plainVariant, ...different })

/** Differences of a variant from the plain one, as a short text. */
export const describeVariant = (variant: Variant): string =>
  (Object.keys(dimensions) as Dimension[])
    .filter((name) => variant[name] !== plainVariant[name])
    .map((name) => `${name}=${variant[name]}`)
    .join(' ') || 'plain'
