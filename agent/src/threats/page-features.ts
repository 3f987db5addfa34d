/** Features that a page is judged by; collected in the page, judged in the background. */
export interface PageFeatures {
  readonly title: string
  /** Texts of headings. */
  readonly headings: readonly string[]
  /** Start of the readable text, lower case. */
  readonly text: string
  /** `name` and `id` of fields. */
  readonly fieldNames: readonly string[]
  /** Hosts of pictures, style sheets and icons. */
  readonly pictureHosts: readonly string[]
  readonly scriptHosts: readonly string[]
  /** Hosts that the page links to. */
  readonly linkHosts: readonly string[]
  /** Hosts that forms submit to. */
  readonly formHosts: readonly string[]
  /** Alternative texts and file names of pictures. */
  readonly pictureWords: readonly string[]
  readonly marks: readonly string[]
}
