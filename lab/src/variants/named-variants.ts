import { dimensions, type Variant, variantWith } from './variant-dimensions.ts'
import { languages } from './variant-texts.ts'

/** Variant that always runs, with its name. */
export interface NamedVariant {
  readonly name: string
  readonly variant: Variant
  readonly quick?: boolean
}

const script = { refusal: 'fetch-401', route: 'redraw' } as const
const named = (name: string, different: Partial<Variant>, quick = false): NamedVariant => ({
  name,
  variant: variantWith(different),
  quick,
})

/** Returns one variant for each value of a dimension except the first. */
const each = <D extends keyof Variant>(
  dimension: D,
  more: (value: Variant[D]) => Partial<Variant> = () => ({}),
): NamedVariant[] =>
  (dimensions[dimension] as readonly unknown[] as readonly Variant[D][])
    .slice(1)
    .map((value) => named(`${dimension} ${value}`, { [dimension]: value, ...more(value) }))

const scriptOnly = ['steps']
const documentOnly = ['page-steps']
const structures = each('structure', (value) =>
  scriptOnly.includes(value)
    ? script
    : documentOnly.includes(value)
      ? {}
      : value === 'open-shadow' || value === 'nested-shadow' || value === 'dialog'
        ? script
        : {},
)
const formLandings: readonly Variant['landing'][] = [
  'opacity',
  'off-screen',
  'inert',
  'display-none',
  'behind',
]
const documentRoutes = ['same-address', 'page-200', 'two-hosts', 'meta-refresh']

/** Fixed variants: one for each known cause of misses and for each value of a dimension. */
export const namedVariants: readonly NamedVariant[] = [
  named('plain', {}, true),
  named('plain script', script, true),
  named('wrong plain', { story: 'wrong' }, true),
  named('wrong script', { ...script, story: 'wrong' }, true),
  named('wrong then right', { story: 'wrong-then-right' }, true),
  ...dimensions.task
    .slice(1)
    .flatMap((task) => [
      named(
        `task ${task}`,
        { task },
        ['own-password', 'other-user', 'server-connection', 'sign-up'].includes(task),
      ),
      named(`task ${task} script`, { ...script, task }),
    ]),
  ...dimensions.story.slice(1).map((story) => named(`story ${story}`, { ...script, story })),
  ...languages
    .slice(1)
    .map((language) =>
      named(`language ${language}, random names`, { language, naming: 'random', who: 'name' }),
    ),
  ...each('who'),
  ...each('label', () => ({ naming: 'random' })),
  ...structures,
  ...each('secret'),
  ...each('button', (value) => (value === 'enter-only' ? { story: 'entered', ...script } : {})),
  ...dimensions.refusal.slice(1).map((value) =>
    named(`refusal ${value}`, {
      refusal: value,
      story: 'wrong',
      ...(value.startsWith('fetch-') ? { route: 'redraw' } : {}),
    }),
  ),
  ...dimensions.route
    .slice(1)
    .map((route) =>
      named(`route ${route}`, documentRoutes.includes(route) ? { route } : { ...script, route }),
    ),
  ...dimensions.error
    .slice(1)
    .map((error) => named(`error ${error}`, { ...script, refusal: 'fetch-200', story: 'wrong', error })),
  named(
    'error toast-stays, then right',
    { ...script, story: 'wrong-then-right', error: 'toast-stays' },
    true,
  ),
  ...dimensions.redraw
    .slice(1)
    .flatMap((redraw) => [
      named(`late form ${redraw} document`, { story: 'wrong', redraw }, redraw === 1_200),
      named(`late form ${redraw} script`, { ...script, refusal: 'fetch-200', story: 'wrong', redraw }),
    ]),
  ...each('delay'),
  named('wrong, slow answer', { story: 'wrong', delay: 8_000, ...script, refusal: 'fetch-200' }),
  ...dimensions.landing
    .slice(1)
    .map((landing) =>
      named(
        `landing ${landing}`,
        formLandings.includes(landing) ? { ...script, landing } : { landing, route: 'same-address' },
        landing === 'opacity' || landing === 'change-password',
      ),
    ),
  ...(['bare', 'cookie-only', 'stay-signed-in', 'passkey-offer'] as const).map((landing) =>
    named(`landing ${landing} script`, { ...script, landing }),
  ),
  ...dimensions.step.slice(1).map((step) => named(`step ${step}`, { step }, ['totp', 'push'].includes(step))),
  ...(['totp', 'sms', 'push', 'totp-boxes'] as const).map((step) =>
    named(`step ${step} spa`, { refusal: 'fetch-401', route: 'replace', step, stepPlace: 'spa' }),
  ),
  ...(['fr', 'ja', 'ar'] as const).flatMap((language) => [
    named(`step totp ${language}`, { step: 'totp', language, naming: 'random' }),
    named(`step mail, wrong code ${language}`, {
      step: 'mail',
      stepEnd: 'wrong',
      language,
      naming: 'random',
    }),
  ]),
  ...dimensions.stepEnd
    .slice(1)
    .map((stepEnd) => named(`step end ${stepEnd}`, { step: 'totp', stepEnd }, stepEnd === 'wrong')),
  named('cpu 6', { cpu: 6 }),
  named('wrong, cpu 6', { cpu: 6, story: 'wrong', ...script }),
]
