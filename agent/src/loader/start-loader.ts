import { ask, onNotice } from '../messages.ts'
import { deepTarget } from '../observe/deep-dom.ts'
import { watchCredentials } from '../observe/watch-credentials.ts'
import { listenToPage } from '../page-world/page-channel.ts'
import { mayBeCommand } from '../threats/shell-command.ts'
import { type Copy, frameWatch, type Heard, keepHeard, stopHearing } from './frame-watch.ts'
import { gatherCopies } from './gather-copies.ts'
import { searchFields } from './search-fields.ts'

/**
 * Events that the observer follows; true for those that are kept for it. A page cannot bring about those without end that
 * need no observer.
 */
const followed = {
  beforetoggle: false,
  fullscreenchange: false,
  click: true,
  focusin: true,
  input: true,
  keydown: true,
  paste: false,
  pointerdown: false,
  submit: true,
} as const

const typedInto = 'input, textarea, [contenteditable]'

/** Somebody types, is about to, or hands a form in. What keys put in anywhere may be a password. */
function isEvidence(event: Event, target: Element | null): boolean {
  if (event.type === 'keydown') return (event as KeyboardEvent).key?.length === 1
  if (event.type === 'focusin') return target?.matches(typedInto) === true
  return event.type === 'input' || event.type === 'submit'
}

/**
 * Stands in a frame from before its page runs, and asks for the observer once there is something to observe: a field, a
 * person who types, a copy. The listeners are here because later ones would come after those of the page,
 * which could stop the events.
 */
export function startLoader(): void {
  const frame = frameWatch()
  let isAsked = false
  let stopSearch = () => {}
  const load = async () => {
    if (isAsked || frame.isObserved) return
    isAsked = true
    stopSearch()
    const isObserved = await ask('inject', { script: 'observe' })
    if (isObserved === false) stopHearing()
    // No answer says nothing: what happens next asks again.
    if (isObserved === undefined) {
      frame.early = []
      isAsked = false
    }
  }
  const hear = (heard: Heard): boolean => {
    void load()
    return frame.hear(heard)
  }
  const begin = () => {
    // Asked for, and again if there is no answer: the browser may end the background over what it does by itself.
    if (window === window.top) void ask('pageOpened', {})
    if (frame.isObserved) return
    isAsked = false
    frame.hear = keepHeard
    stopSearch()
    stopSearch = searchFields(load)
  }
  for (const [type, isKept] of Object.entries(followed))
    window.addEventListener(
      type,
      (event) => {
        if (!event.isTrusted || !(isKept || frame.isObserved)) return
        const target = deepTarget(event)
        frame.targets.set(event, target)
        const heard = { kind: 'EVENT', event } as const
        if (isEvidence(event, target)) hear(heard)
        else frame.hear(heard)
      },
      true,
    )
  const refusesCopy = (copy: Copy) => {
    // The page may be left before the observer is there.
    if (!frame.isObserved && mayBeCommand(copy.text)) void ask('earlyCopy', { copy })
    return hear({ kind: 'COPY', copy })
  }
  // A page that was given a credential may be left at once: no observer is waited for.
  listenToPage({ ...gatherCopies(refusesCopy), ...watchCredentials() })
  onNotice(({ notice }) => {
    begin()
    if (notice === 'LOGIN_PENDING') void load()
  })
  // A page that the browser kept while another one was shown has heard no notice.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) begin()
  })
  begin()
}
