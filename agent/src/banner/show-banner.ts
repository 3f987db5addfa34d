import type { PolicyBanner } from '@muster/contract/agent/agent-policy'
import { leavePage } from '../lib/leave-page.ts'
import { markOwn } from '../lib/own-elements.ts'
import { addOwnStyle } from '../lib/own-style.ts'
import { ask, type PageBanner } from '../messages.ts'
import { type TextName, text } from '../ui/texts.ts'
import { bannerStyle } from './banner-style.ts'

/** Maximum number of times a removed banner is shown again, so that page and banner cannot fight forever. */
const returnsMaximum = 20

/** Maximum length of a reason (contract: APP_BANNER). */
const reasonLengthMaximum = 1000

const buttonTexts: Readonly<Record<PolicyBanner['mode'], TextName>> = {
  INFORM: 'bannerInform',
  ACKNOWLEDGE: 'bannerAcknowledge',
  REASON: 'bannerReason',
  BLOCK: 'goBack',
}

/**
 * Shows a banner over the page, in a closed shadow root that the page cannot access, and reports its display and the
 * employee's answer. INFORM is non-modal. The other modes cover the page until they are answered, and BLOCK cannot be
 * answered.
 *
 * @returns function that removes the banner, for when the policy does
 */
export function showBanner({ banner, organizationName }: PageBanner): () => void {
  const host = document.createElement('div')
  markOwn(host)
  const root = host.attachShadow({ mode: 'closed' })
  const dialog = document.createElement('dialog')
  addOwnStyle(root, bannerStyle)
  root.append(dialog)
  const guard = new MutationObserver(() => bringBack())
  let returns = 0

  const open = () => {
    document.documentElement.append(host)
    // The attribute alone does not move the focus.
    if (banner.mode === 'INFORM') dialog.setAttribute('open', '')
    else if (!dialog.open) dialog.showModal()
  }
  const bringBack = () => {
    if (host.isConnected && dialog.open) return
    returns += 1
    if (returns > returnsMaximum) return guard.disconnect()
    // A removed dialog stays open but is no longer modal.
    dialog.removeAttribute('open')
    open()
  }
  const close = () => {
    guard.disconnect()
    host.remove()
  }
  fill(dialog, banner, organizationName, (reason) => {
    close()
    tell(banner, 'ACKNOWLEDGED', reason)
  })
  // Escape would close a modal dialog, in older browsers even after preventDefault(); pages cannot trigger it.
  dialog.setAttribute('closedby', 'none')
  dialog.addEventListener('cancel', (event) => event.preventDefault())
  dialog.addEventListener('close', () => host.isConnected && open())
  open()
  guard.observe(document.documentElement, { childList: true })
  tell(banner, 'DISPLAYED', null)
  return close
}

function fill(
  dialog: HTMLDialogElement,
  banner: PolicyBanner,
  organizationName: string,
  answer: (reason: string | null) => void,
): void {
  const { mode, title, subtext, buttonText } = banner
  dialog.className = { INFORM: 'aside', ACKNOWLEDGE: '', REASON: '', BLOCK: 'covering' }[mode]
  const heading = element('h2', title)
  heading.id = 'title'
  dialog.setAttribute('aria-labelledby', 'title')
  const from = text('bannerFrom', { organization: organizationName || text('theOrganization') })
  dialog.append(element('p', from, 'from'), heading)
  if (subtext !== '') dialog.append(element('p', subtext))
  if (mode === 'BLOCK') dialog.append(element('p', text('bannerBlock')))
  const button = element(
    'button',
    mode === 'BLOCK' ? text('goBack') : (buttonText ?? text(buttonTexts[mode])),
  )
  const reason = mode === 'REASON' ? reasonField(dialog, button) : null
  button.addEventListener('click', (event) => {
    if (!event.isTrusted) return
    if (mode === 'BLOCK') leavePage()
    else answer(reason?.value.trim().slice(0, reasonLengthMaximum) ?? null)
  })
  dialog.append(button)
}

function reasonField(dialog: HTMLDialogElement, button: HTMLButtonElement): HTMLTextAreaElement {
  const label = element('label', text('bannerReasonLabel'))
  const field = element('textarea')
  field.id = 'reason'
  label.htmlFor = field.id
  field.maxLength = reasonLengthMaximum
  field.required = true
  button.disabled = true
  field.addEventListener('input', () => {
    button.disabled = field.value.trim() === ''
  })
  // Keeps typed keys from the page's shortcuts.
  for (const kind of ['keydown', 'keypress', 'keyup'] as const)
    field.addEventListener(kind, (event) => event.stopPropagation())
  dialog.append(label, field)
  return field
}

function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  content = '',
  className = '',
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name)
  made.textContent = content
  if (className !== '') made.className = className
  return made
}

function tell({ id }: PolicyBanner, action: 'DISPLAYED' | 'ACKNOWLEDGED', reason: string | null): void {
  void ask('report', { report: { kind: 'APP_BANNER', bannerId: id, action, reason } })
}
