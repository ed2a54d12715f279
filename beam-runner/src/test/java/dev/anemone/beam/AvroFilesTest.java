// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.extensions.avro.coders.AvroCoder;
import org.apache.beam.sdk.extensions.avro.io.AvroIO;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.transforms.Sum;
import org.apache.beam.sdk.values.TypeDescriptors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AvroFilesTest {

  private static final String SCHEMA =
      SchemaBuilder.record("Sale").fields().requiredInt("amount").endRecord().toString();

  @Test
  void whatIsWrittenAsAvroIsReadBack(@TempDir Path directory) throws Exception {
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
            AvroIO.writeGenericRecords(schema)
                .to(directory.resolve("sales").toString())
                .withSuffix(".avro")
                .withNumShards(3));
    writing.run().waitUntilFinish();
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "sales-00000-of-00003.avro",
              "sales-00001-of-00003.avro",
              "sales-00002-of-00003.avro");
    }

    Pipeline reading = pipeline();
    PAssert.thatSingleton(
            reading
                .apply(
                    AvroIO.readGenericRecords(schema).from(directory.resolve("*.avro").toString()))
                .apply(
                    MapElements.into(TypeDescriptors.integers())
                        .via((GenericRecord sale) -> (Integer) sale.get("amount")))
                .apply(Sum.integersGlobally()))
        .isEqualTo(5050);
    reading.run().waitUntilFinish();
  }

  private static Pipeline pipeline() {
    return Pipeline.create(PipelineOptionsFactory.fromArgs("--runner=NemoRunner").create());
  }
}
