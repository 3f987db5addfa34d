/**
 * Modules that only threads of a server run. The main thread loads them when the compile cache is filled, so that no
 * thread has to compile its module.
 */
import '../modules/ingest/intake-worker.ts'
import '../kernel/store/sqlite/sqlite-reader-worker.ts'
