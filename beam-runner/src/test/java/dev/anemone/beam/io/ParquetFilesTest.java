// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.io;

import static dev.anemone.beam.io.NemoPipelines.pipeline;
import static dev.anemone.beam.io.NemoPipelines.run;

import java.nio.file.Path;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.extensions.avro.coders.AvroCoder;
import org.apache.beam.sdk.io.FileIO;
import org.apache.beam.sdk.io.parquet.ParquetIO;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.transforms.Sum;
import org.apache.beam.sdk.values.TypeDescriptors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** ParquetIO, of another version than the rest of Beam, see the module's pom. */
class ParquetFilesTest {

  private static final String SCHEMA =
      SchemaBuilder.record("Sale").fields().requiredInt("amount").endRecord().toString();

  @Test
  void whatIsWrittenAsParquetIsReadBack(@TempDir Path directory) {
    Schema schema = new Schema.Parser().parse(SCHEMA);
    Pipeline writing = pipeline();
    writing
        .apply(
            Create.of(
                    IntStream.rangeClosed(1, 100)
                        .<GenericRecord>mapToObj(
                            amount ->
                                new GenericRecordBuilder(schema).set("amount", amount).build())
                        .toList())
                .withCoder(AvroCoder.of(GenericRecord.class, schema)))
        .apply(
            FileIO.<GenericRecord>write()
                .via(ParquetIO.sink(schema))
                .to(directory.toString())
                .withSuffix(".parquet")
                .withNumShards(2));
    run(writing);

    Pipeline reading = pipeline();
    PAssert.thatSingleton(
            reading
                .apply(ParquetIO.read(schema).from(directory.resolve("*.parquet").toString()))
                .apply(
                    MapElements.into(TypeDescriptors.integers())
                        .via((GenericRecord sale) -> (Integer) sale.get("amount")))
                .apply(Sum.integersGlobally()))
        .isEqualTo(5050);
    run(reading);
  }
}
