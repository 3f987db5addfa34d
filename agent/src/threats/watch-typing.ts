import type { ThreatVerdict, TypingKit } from '../logins/observation-messages.ts'
import { ask, type PagePolicy } from '../messages.ts'
import { deepTarget } from '../observe/deep-dom.ts'
import { onPageEvent } from '../observe/page-events.ts'
import { actOnThreat } from './act-on-threat.ts'
import { afterKey, candidateFingerprints, emptyTail } from './typed-tail.ts'

/** Maximum number of texts asked about. Each text is asked about once. */
const askedMaximum = 200

const isField = (element: Element | null): element is HTMLInputElement | HTMLTextAreaElement =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement

function emptyField(element: Element | null): void {
  if (!isField(element)) return
  element.value = ''
  element.blur()
}

/**
 * Maximum number of remembered elements. A page may use one field per character, or redraw its field on each key press.
 */
const placesMaximum = 128

const refuse = (event: Event) => {
  event.preventDefault()
  event.stopImmediatePropagation()
}

/**
 * Recognizes a protected password on a page where it does not belong, while it is typed, pasted or filled in. The page
 * can read its own fields during typing, so the last key press is the earliest possible moment.
 *
 * @param policy returns the active policy; nothing is examined while it is unknown or inactive
 * @returns function to call after a policy change, which clears cached results
 */
export function watchTyping(policy: () => PagePolicy | undefined): () => void {
  let kit: Promise<TypingKit | null | undefined> | null = null
  let tail = emptyTail
  /** Elements that received the typed keys. Focus changes by the page do not interrupt the text. */
  let places: readonly Element[] = []
  const asked = new Set<string>()

  const judge = async (fingerprint: string, target: Element | null) => {
    if (asked.has(fingerprint) || asked.size >= askedMaximum) return
    asked.add(fingerprint)
    const verdict = await ask('typedText', { fingerprint })
    if (verdict === undefined) asked.delete(fingerprint)
    if (verdict) stop(verdict, target)
  }
  const stop = (verdict: ThreatVerdict, target: Element | null) => {
    if (verdict.mode === 'BLOCK') {
      for (const place of [...places, target]) emptyField(place)
      window.addEventListener('submit', refuse, true)
    }
    actOnThreat(verdict, policy()?.contact ?? null)
  }
  const look = async (text: string, target: Element | null) => {
    if (!policy()?.active) return
    kit ??= ask('typingKit', {})
    const known = await kit
    if (!known) kit = null
    if (!known || known.hints.length === 0) return
    await Promise.all(
      candidateFingerprints(text, known.salt, known.hints).map((fingerprint) => judge(fingerprint, target)),
    )
  }

  onPageEvent('keydown', (event) => {
    // Browsers that fill in a form send key events without a key.
    if (!event.isTrusted || !event.key || event.ctrlKey || event.metaKey || event.altKey) return
    const target = deepTarget(event)
    tail = afterKey(tail, event.key)
    if (tail.text === '') places = []
    else if (target && !places.includes(target)) places = [...places, target].slice(-placesMaximum)
    if (tail.text !== '') void look(tail.text, target)
  })
  // A click elsewhere starts over. Only ends of the text are compared, so this saves memory and does not affect the
  // result.
  onPageEvent('pointerdown', (event) => {
    if (!event.isTrusted) return
    tail = emptyTail
    places = []
  })
  // A page may handle pasted text itself, so that no field ever contains it.
  onPageEvent('paste', (event) => {
    const text = event.isTrusted ? (event.clipboardData?.getData('text') ?? '') : ''
    if (text !== '') void look(text.slice(-512), deepTarget(event))
  })
  onPageEvent('input', (event) => {
    const target = deepTarget(event)
    if (event.isTrusted && isField(target)) void look(target.value.slice(-512), target)
  })
  return () => {
    kit = null
    asked.clear()
  }
}
