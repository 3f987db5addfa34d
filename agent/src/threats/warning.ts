import { keepInFront } from '../lib/keep-in-front.ts'
import { leaveForGood, leavePage } from '../lib/leave-page.ts'
import { markOwn } from '../lib/own-elements.ts'
import { addOwnStyle } from '../lib/own-style.ts'
import type { ThreatVerdict } from '../logins/observation-messages.ts'
import { buttonTexts, contactText, warningTexts } from './warning-texts.ts'

const style = `
  dialog { all: revert; box-sizing: border-box; width: 100vw; height: 100vh; max-width: none; max-height: none; margin: 0;
    border: 0; padding: 24px; background: rgb(20 20 30 / .92); font: 16px/1.5 system-ui, sans-serif; display: grid; place-items: center }
  dialog:not([open]) { display: none }
  section { box-sizing: border-box; width: min(520px, 100%); padding: 28px; border-radius: 12px; background: #fff; color: #1b1b22;
    border-top: 6px solid #b3261e }
  h2 { margin: 0 0 12px; font-size: 22px; line-height: 1.25 }
  p { margin: 0 0 14px }
  footer { display: flex; flex-wrap: wrap; gap: 12px; margin-top: 22px }
  button { font: inherit; padding: 10px 18px; border-radius: 8px; border: 1px solid transparent; cursor: pointer }
  button:focus-visible { outline: 3px solid #4c7dff; outline-offset: 2px }
  .leave { background: #b3261e; color: #fff }
  .on { background: none; color: inherit; border-color: currentColor }
  @media (prefers-color-scheme: dark) { section { background: #22222b; color: #f2f2f6 } .leave { background: #d64a42 } }
`

/** Options besides leaving the page. */
export interface WarningChoices {
  /** Null if continuing is not allowed. */
  readonly proceed: (() => void) | null
  readonly contact: string | null
}

function element<K extends keyof HTMLElementTagNameMap>(name: K, text = '', className = '') {
  const made = document.createElement(name)
  made.textContent = text
  if (className) made.className = className
  return made
}

/**
 * Adds a click handler for trusted events only. A page cannot reach the button anyway; this is a second line of
 * defense.
 */
const onPress = (button: HTMLButtonElement, action: () => void) =>
  button.addEventListener('click', (event) => {
    if (event.isTrusted) action()
  })

/**
 * Covers the page with a warning in a closed shadow root and in the top layer, where the page can neither read nor
 * click it. A page that keeps covering the warning is left.
 */
export function showWarning(
  { threat, appName }: Pick<ThreatVerdict, 'threat' | 'appName'>,
  choices: WarningChoices,
): void {
  const texts = warningTexts(threat, appName, location.hostname)
  const host = document.createElement('div')
  markOwn(host)
  const root = host.attachShadow({ mode: 'closed' })
  addOwnStyle(root, style)
  const dialog = element('dialog')
  const box = element('section')
  const leave = element('button', buttonTexts.leave, 'leave')
  const footer = element('footer')
  footer.append(leave)
  box.append(element('h2', texts.title), element('p', texts.text))
  if (choices.contact) box.append(element('p', contactText(choices.contact)))
  box.append(footer)
  dialog.append(box)
  dialog.setAttribute('closedby', 'none')
  dialog.setAttribute('role', 'alertdialog')
  dialog.setAttribute('aria-label', texts.title)
  dialog.addEventListener('cancel', (event) => event.preventDefault())
  root.append(dialog)
  // A page that fights the warning must not win, so leave it.
  const shown = keepInFront(host, dialog, leaveForGood)
  onPress(leave, leavePage)
  const { proceed } = choices
  if (proceed) {
    const button = element('button', buttonTexts.proceed, 'on')
    footer.append(button)
    onPress(button, () => {
      if (!shown.isRead()) return
      shown.removeDialog()
      proceed()
    })
  }
}
