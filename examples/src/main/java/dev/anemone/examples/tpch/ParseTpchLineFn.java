package dev.anemone.examples.tpch;

import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.values.Row;

/** Turns the lines of a table's files into rows of some of its columns. */
final class ParseTpchLineFn extends DoFn<String, Row> {
  private static final long serialVersionUID = 1;

  private final TpchTable table;
  private final Schema schema;
  private transient TpchLineParser parser;

  ParseTpchLineFn(TpchTable table, Schema schema) {
    this.table = table;
    this.schema = schema;
  }

  @Setup
  public void setUp() {
    parser = new TpchLineParser(table, schema);
  }

  @ProcessElement
  public void processElement(@Element String line, OutputReceiver<Row> rows) {
    rows.output(parser.parse(line));
  }
}
