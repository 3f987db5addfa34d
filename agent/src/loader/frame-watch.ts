import type { loginPart } from '../observe/login-part.ts'
import type { FrameWords } from '../observe/words/frame-words.ts'
import type { collectFeatures } from '../threats/collect-features.ts'
import type { showWarning } from '../threats/warning.ts'

/** Event or copy captured by the loader (`loader/start-loader.ts`). */
export type Captured =
  /** Trusted event, captured by the window's listener before those of the page. */
  { readonly kind: 'EVENT'; readonly event: Event } | { readonly kind: 'COPY'; readonly copy: Copy }

/** Text that is put on the clipboard. */
export interface Copy {
  readonly text: string
  /** Selection that the employee copies; empty for a copy by a script. */
  readonly selected: string
  /** Text readable at that moment, without text that a page hides in a field to copy it. */
  readonly readable: string
}

/** Handler of captured events and copies; returns true to refuse a copy. */
export type CaptureHandler = (captured: Captured) => boolean

/** Parts of the observer that are loaded on demand (`loader/fetch-part.ts`). */
export interface FrameParts {
  readonly login: typeof loginPart
  readonly features: typeof collectFeatures
  readonly warn: typeof showWarning
}

/** State of a frame, shared by its loader, its observer and the observer's parts. */
export interface FrameWatch {
  handle: CaptureHandler
  /** Events and copies from before the observer had its policy, oldest first. */
  early: readonly Captured[]
  /** True once the observer is loaded. */
  isObserved: boolean
  parts: Partial<FrameParts>
  /** Words for recognizing fields and presses; null until a policy turns observation on. */
  words: FrameWords | null
  /** Listeners of the observer and its parts, by event type. */
  readonly listeners: Map<string, readonly ((event: Event) => void)[]>
  /** Targets of events. An event that was dispatched has no path any more. */
  readonly targets: WeakMap<Event, Element | null>
}

/** Key in the isolated world that the content script bundles of an extension share and pages cannot reach. */
const place = Symbol.for('muster.frameWatch')

/** Maximum number of kept events and copies. */
const earlyMaximum = 64

/** Returns the state of this frame, creating it if needed. */
export function frameWatch(): FrameWatch {
  const world = globalThis as { [place]?: FrameWatch }
  world[place] ??= {
    handle: keepCaptured,
    early: [],
    isObserved: false,
    parts: {},
    words: null,
    listeners: new Map(),
    targets: new WeakMap(),
  }
  return world[place]
}

/** Keeps captured events and copies for the observer. */
export const keepCaptured: CaptureHandler = (captured) => {
  const frame = frameWatch()
  frame.early = [...frame.early, captured].slice(-earlyMaximum)
  return false
}

/** Discards captured events and copies, and ignores further ones: observation is off. */
export function stopCapturing(): void {
  const frame = frameWatch()
  frame.early = []
  frame.handle = () => false
}
