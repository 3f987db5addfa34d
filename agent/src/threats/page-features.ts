/** What the judgment of a page rests on; collected in the page, judged in the background. */
export interface PageFeatures {
  readonly title: string
  /** Texts of headings. */
  readonly headings: readonly string[]
  /** The start of what can be read, lower-case. */
  readonly text: string
  /** `name` and `id` of fields. */
  readonly fieldNames: readonly string[]
  /** Hosts that pictures, style sheets and icons come from. */
  readonly pictureHosts: readonly string[]
  readonly scriptHosts: readonly string[]
  /** Hosts that the page links to. */
  readonly linkHosts: readonly string[]
  /** Hosts that forms are sent to. */
  readonly formHosts: readonly string[]
  /** Alternative texts of pictures, and their file names. */
  readonly pictureWords: readonly string[]
  readonly marks: readonly string[]
}
