// SPDX-License-Identifier: Apache-2.0

import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.extensions.sql.SqlTransform;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TypeDescriptors;

/** Adds up a table of TYPE ndp, in the directory that the second argument names. */
public final class Main {

  private Main() {}

  public static void main(String[] arguments) {
    Pipeline pipeline =
        Pipeline.create(
            PipelineOptionsFactory.fromArgs(
                    arguments[0], "--plannerName=dev.anemone.beam.sql.AnemoneQueryPlanner")
                .create());
    pipeline
        .apply(
            SqlTransform.query("SELECT fruit, SUM(pieces) FROM sales GROUP BY fruit")
                .withDdlString(
                    "CREATE EXTERNAL TABLE sales (fruit VARCHAR, pieces BIGINT) TYPE ndp LOCATION '"
                        + arguments[1]
                        + "' TBLPROPERTIES '{\"format\": \"csv\"}'"))
        .apply(MapElements.into(TypeDescriptors.voids()).via(Main::print));
    pipeline.run().waitUntilFinish();
  }

  private static Void print(Row sum) {
    System.out.println(sum.getString(0) + ": " + sum.getInt64(1));
    return null;
  }
}
