import type { ThreatVerdict, TypingKit } from '../logins/observation-messages.ts'
import { ask, type PagePolicy } from '../messages.ts'
import { deepTarget } from '../observe/deep-dom.ts'
import { onPageEvent } from '../observe/page-events.ts'
import { actOnThreat } from './act-on-threat.ts'
import { afterKey, emptyTail, suspects } from './typed-tail.ts'

/** Texts that were asked about: a text that stands in a field is asked about once. */
const askedMaximum = 200

const isField = (element: Element | null): element is HTMLInputElement | HTMLTextAreaElement =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement

function emptyField(element: Element | null): void {
  if (!isField(element)) return
  element.value = ''
  element.blur()
}

/** A page may have one field for each character, or draw its field anew at each key: so many are remembered. */
const placesMaximum = 128

const refuse = (event: Event) => {
  event.preventDefault()
  event.stopImmediatePropagation()
}

/**
 * Notices a protected password on a page where it does not belong, while it is typed, pasted or filled in.
 * The page may read its own fields as they are typed into, so the last key is the earliest moment at which
 * it can be known.
 *
 * @param policy the one that is in force; nothing is looked at while it is not known, or says so
 * @returns to be told that it is another one: what was learned under the old one is forgotten
 */
export function watchTyping(policy: () => PagePolicy | undefined): () => void {
  let kit: Promise<TypingKit | null | undefined> | null = null
  let tail = emptyTail
  /** Element that the keys of the tail went to; a page that moves the focus by itself does not interrupt what is typed. */
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
      suspects(text, known.salt, known.hints).map((fingerprint) => judge(fingerprint, target)),
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
  // Whoever presses elsewhere begins anew; text is compared to its end only, so this is for memory, not for judgment.
  onPageEvent('pointerdown', (event) => {
    if (!event.isTrusted) return
    tail = emptyTail
    places = []
  })
  // A page may take a pasted text for itself, so that no field ever holds it.
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
