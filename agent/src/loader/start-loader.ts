import { ask, onNotice } from '../messages.ts'
import { deepTarget } from '../observe/deep-dom.ts'
import { watchCredentials } from '../observe/watch-credentials.ts'
import { listenToPage } from '../page-world/page-channel.ts'
import { mayBeCommand } from '../threats/shell-command.ts'
import { type Captured, type Copy, frameWatch, keepCaptured, stopCapturing } from './frame-watch.ts'
import { gatherCopies } from './gather-copies.ts'
import { searchFields } from './search-fields.ts'

/**
 * Event types that the observer needs; true for those that are kept until it is loaded. Types that do not need the
 * observer must not let a page trigger events without end.
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

/** Returns true if somebody types, is about to, or submits a form. Key presses anywhere may be a password. */
function isEvidence(event: Event, target: Element | null): boolean {
  if (event.type === 'keydown') return (event as KeyboardEvent).key?.length === 1
  if (event.type === 'focusin') return target?.matches(typedInto) === true
  return event.type === 'input' || event.type === 'submit'
}

/**
 * Runs in a frame before its page and requests the observer once there is something to observe: a field, typing, a
 * copy. The listeners are registered here because later ones would run after those of the page, which could stop the
 * events.
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
    if (isObserved === false) stopCapturing()
    // A missing answer is not a failure: the next event asks again.
    if (isObserved === undefined) {
      frame.early = []
      isAsked = false
    }
  }
  const handle = (captured: Captured): boolean => {
    void load()
    return frame.handle(captured)
  }
  const begin = () => {
    // Sent as a message with retries, because the browser may stop the background during its own webNavigation handler.
    if (window === window.top) void ask('pageOpened', {})
    if (frame.isObserved) return
    isAsked = false
    frame.handle = keepCaptured
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
        const captured = { kind: 'EVENT', event } as const
        if (isEvidence(event, target)) handle(captured)
        else frame.handle(captured)
      },
      true,
    )
  const refusesCopy = (copy: Copy) => {
    // The page may be left before the observer is loaded.
    if (!frame.isObserved && mayBeCommand(copy.text)) void ask('earlyCopy', { copy })
    return handle({ kind: 'COPY', copy })
  }
  // A page that got a credential may be left immediately, so do not wait for the observer.
  listenToPage({ ...gatherCopies(refusesCopy), ...watchCredentials() })
  onNotice(({ notice }) => {
    begin()
    if (notice === 'LOGIN_PENDING') void load()
  })
  // A page restored from the back/forward cache has missed notices.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) begin()
  })
  begin()
}
