// PostgreSQL with pgvector in this process (PGlite): one SQL text as a JSON string per line of stdin, one line of JSON back.
//   node pglite_lines.cjs FOLDER_WITH_NODE_MODULES
const { createRequire } = require('node:module');
const { createInterface } = require('node:readline');

const load = createRequire(`${process.argv[2]}/package.json`);
const { PGlite } = load('@electric-sql/pglite');
const { vector } = load('@electric-sql/pglite-pgvector');

async function main() {
  const database = await PGlite.create({ extensions: { vector } });
  for await (const line of createInterface({ input: process.stdin })) {
    let answer;
    try {
      const results = await database.exec(JSON.parse(line), { rowMode: 'array' });
      answer = { rows: results.length ? results[results.length - 1].rows : [] };
    } catch (error) {
      answer = { error: String(error.message ?? error) };
    }
    process.stdout.write(JSON.stringify(answer) + '\n');
  }
}

main();
