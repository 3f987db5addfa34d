import {
  actionOf,
  escaped,
  inputName,
  loginFormHtml,
  passwordField,
  sideFormHtml,
  userField,
  userFormHtml,
} from './form-markup.ts'
import { landingHtml } from './landing-markup.ts'
import { type PageFacts, pageScript } from './page-script.ts'
import { stepHtml } from './step-markup.ts'
import { stepWordsOf } from './step-texts.ts'
import type { Variant } from './variant-dimensions.ts'
import { byScript } from './variant-rules.ts'
import { wordsOf } from './variant-texts.ts'

const style = `body{font:15px sans-serif;margin:2em;max-width:44em}.button{display:inline-block;background:#246;color:#fff;padding:6px 12px;cursor:pointer}
.icon{background:#246;width:32px;height:28px}.toast{position:fixed;bottom:1em;right:1em;background:#333;color:#fff;padding:1em}
.floating{position:relative;padding-top:1em}.floating span{position:absolute;top:0;left:4px;font-size:11px}.box{display:inline-block;width:2em;height:2em;border:1px solid #888}
.spinner{width:24px;height:24px;border:3px solid #ccc;border-top-color:#246;border-radius:50%}header{display:flex;gap:1em}`

/** Returns a whole document in the variant's language. */
export const documentHtml = ({ language }: Variant, title: string, body: string, head = ''): string =>
  `<!doctype html><html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><title>${escaped(title)}</title><style>${style}</style>${head}</head>
<body>${body}</body></html>`

interface PageState {
  readonly refused: boolean
  readonly inner: boolean
  /** User name of the previous step; undefined if there was none. */
  readonly knownUser?: string | undefined
}

const script = (facts: object): string =>
  `<script type="application/json" id="facts">${JSON.stringify(facts).replaceAll('<', '\\u003c')}</script><script>${pageScript}</script>`

function factsOf(variant: Variant, place: 'form' | 'step' | 'landing', state: PageState) {
  const words = wordsOf(variant.language)
  const isTwoSteps = variant.structure === 'page-steps' && state.knownUser === undefined
  const facts: PageFacts & Record<string, unknown> = {
    variant,
    place,
    form: isTwoSteps
      ? userFormHtml(variant)
      : loginFormHtml(variant, state.knownUser ?? (variant.structure === 'steps' ? '' : undefined)),
    userForm: variant.structure === 'steps' ? userFormHtml(variant) : '',
    step: variant.step === 'none' ? '' : stepHtml(variant),
    landing: landingHtml(variant),
    wrong: words.wrong,
    locked: words.locked,
    badCode: stepWordsOf(variant.language).badCode,
    refused: state.refused,
    inner: state.inner,
    drawAfter: variant.redraw === 0 || !state.refused ? null : variant.redraw,
    byScript: byScript(variant),
    action: actionOf(variant),
    names: {
      user: inputName(variant, userField(variant)),
      password: inputName(variant, passwordField(variant)),
    },
  }
  return facts
}

/** Returns the page with the login form. */
export function loginPage(variant: Variant, state: PageState): string {
  const words = wordsOf(variant.language)
  const facts = factsOf(variant, 'form', state)
  const isDrawn = facts.drawAfter !== null || variant.structure.endsWith('-shadow')
  const place = `<div data-place>${isDrawn ? '' : facts.userForm || facts.form}</div>`
  const opener = `<button data-opens data-q="open">${words.signIn}</button>`
  const bodies: Partial<Record<Variant['structure'], string>> = {
    dialog: `<h1>Works</h1>${opener}<dialog data-hidden>${place}</dialog>`,
    modal: `<h1>Works</h1>${opener}<div role="dialog" aria-modal="true" data-hidden${state.refused ? '' : ' hidden'}><p>works.example requests a user name and a password.</p>${place}</div>`,
    header: `<header><b>Works</b> ${place}</header><h1>Works for teams</h1><p>Plan, build and ship together.</p><p data-beside><a href="/pricing">Pricing</a></p>`,
    tabs: `<div role="tablist" data-beside><button role="tab" aria-selected="true">${words.signIn}</button><button role="tab">${words.signUp}</button></div>
${place}<div role="tabpanel" hidden data-beside>${sideFormHtml(variant)}</div>`,
    'both-forms': `<h2 data-beside>${words.signIn}</h2>${place}<div data-beside><h2>${words.signUp}</h2>${sideFormHtml(variant)}</div>`,
  }
  const body = bodies[variant.structure] ?? `<h1>${words.signIn}</h1>${place}`
  const reopen =
    state.refused && variant.structure === 'dialog'
      ? '<script>document.querySelector("dialog").showModal()</script>'
      : ''
  return documentHtml(variant, words.signIn, `${body}${reopen}<main data-app></main>${script(facts)}`)
}

/** Returns the page around a frame or popup with the login form. */
export function outerPage(variant: Variant, host: string): string {
  const words = wordsOf(variant.language)
  const listen = `<script>addEventListener('message', (event) => { if (event.data === 'in') location.assign('/home') })</script>`
  if (variant.structure === 'popup')
    return documentHtml(
      variant,
      'Works',
      `<h1>Works</h1><button data-q="open" onclick="open('/inner','login','width=480,height=560')">${words.signIn}</button>${listen}`,
    )
  const origin = variant.structure === 'foreign-iframe' ? `https://id.${host}` : ''
  return documentHtml(
    variant,
    'Works',
    `<h1>Works</h1><iframe src="${origin}/inner" width="480" height="420"></iframe>${listen}`,
  )
}

/** Returns the last page of a frame or popup. */
export const donePage = (variant: Variant): string =>
  documentHtml(
    variant,
    '…',
    `<script>(opener ?? parent).postMessage('in', '*'); if (opener) close()</script>`,
  )

export const stepPage = (variant: Variant, refused: boolean): string =>
  documentHtml(
    variant,
    stepWordsOf(variant.language).title,
    `<div data-place>${stepHtml(variant)}</div><main data-app></main>${script(factsOf(variant, 'step', { refused, inner: false }))}`,
  )

export const landingPage = (variant: Variant): string =>
  documentHtml(variant, wordsOf(variant.language).home, `<main>${landingHtml(variant)}</main>`)

/** Returns a page that redirects after a moment. */
export const refreshPage = (variant: Variant): string =>
  documentHtml(
    variant,
    '…',
    '<div class="spinner"></div>',
    '<meta http-equiv="refresh" content="1;url=/home">',
  )

/** Returns a page between a failed attempt and the next one. */
export const obstaclePage = (variant: Variant): string => {
  const captcha =
    '<h1>Are you a robot?</h1><div class="box" role="checkbox" tabindex="0" aria-checked="false"></div><p>Select all squares with boats.</p>'
  const text = variant.refusal === 'page-captcha' ? captcha : `<h1>${wordsOf(variant.language).locked}</h1>`
  return documentHtml(
    variant,
    'Works',
    text,
    `<script>document.documentElement.dataset.state = 'refused'</script>`,
  )
}
