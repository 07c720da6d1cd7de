// Writer commands that make the disk of a test full: SQLite takes no page beyond the limit, and says what it says of a full disk.
const MOST_PAGES = 4294967294;

exports.commands = {
  // A file is never made shorter by a limit: what it has already stays.
  'test.fillDisk': (sql) => void sql.all('PRAGMA max_page_count = 1'),
  'test.freeDisk': (sql) => void sql.all(`PRAGMA max_page_count = ${MOST_PAGES}`),
};
