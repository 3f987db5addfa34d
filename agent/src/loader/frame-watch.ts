import type { loginPart } from '../observe/login-part.ts'
import type { FrameWords } from '../observe/words/frame-words.ts'
import type { collectFeatures } from '../threats/collect-features.ts'
import type { showWarning } from '../threats/warning.ts'

/** Event or copy that the loader sees in a frame (`loader/start-loader.ts`). */
export type Heard =
  /** A trusted event, as the window's own listener got it before any of the page. */
  { readonly kind: 'EVENT'; readonly event: Event } | { readonly kind: 'COPY'; readonly copy: Copy }

/** A text that is put on the clipboard. */
export interface Copy {
  readonly text: string
  /** Selection that the employee copies; empty for a copy by a script. */
  readonly selected: string
  /** Text that a person could read at that moment: none that a page hides in a text field in order to copy it. */
  readonly readable: string
}

/** Hears what the loader sees; true refuses a copy. */
export type Hearing = (heard: Heard) => boolean

/** Parts of the observer that a frame gets once they are needed (`loader/fetch-part.ts`). */
export interface FrameParts {
  readonly login: typeof loginPart
  readonly features: typeof collectFeatures
  readonly warn: typeof showWarning
}

/** State of a frame that its loader, its observer and the parts of it share. */
export interface FrameWatch {
  hear: Hearing
  /** Events and copies from before the observer knew its policy, oldest first. */
  early: readonly Heard[]
  /** True once the observer is there. */
  isObserved: boolean
  parts: Partial<FrameParts>
  /** Words that fields and presses are recognized by; null until the policy says that something is observed. */
  words: FrameWords | null
  /** Of the observer and its parts, by the kinds of events. */
  readonly listeners: Map<string, readonly ((event: Event) => void)[]>
  /** Elements that events are about: an event that is over has no path any more. */
  readonly targets: WeakMap<Event, Element | null>
}

/** The content scripts of an extension are bundles apart but share one world, which no page can reach. */
const place = Symbol.for('muster.frameWatch')

/** More is not kept. */
const earlyMaximum = 64

/** The state of this frame, made if it is not there. */
export function frameWatch(): FrameWatch {
  const world = globalThis as { [place]?: FrameWatch }
  world[place] ??= {
    hear: keepHeard,
    early: [],
    isObserved: false,
    parts: {},
    words: null,
    listeners: new Map(),
    targets: new WeakMap(),
  }
  return world[place]
}

/** Keeps what is heard for the observer. */
export const keepHeard: Hearing = (heard) => {
  const frame = frameWatch()
  frame.early = [...frame.early, heard].slice(-earlyMaximum)
  return false
}

/** Forgets what was heard, and what will be: nothing is observed. */
export function stopHearing(): void {
  const frame = frameWatch()
  frame.early = []
  frame.hear = () => false
}
