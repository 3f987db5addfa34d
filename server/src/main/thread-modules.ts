/**
 * Modules that only worker threads run. The main thread loads them to fill the compile cache, so no thread has to compile its
 * module.
 */
import '../modules/backup/backup-worker.ts'
import '../modules/ingest/intake-worker.ts'
import '../kernel/store/sqlite/sqlite-reader-worker.ts'
