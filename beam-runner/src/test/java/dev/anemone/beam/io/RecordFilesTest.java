// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.io;

import static dev.anemone.beam.io.NemoPipelines.pipeline;
import static dev.anemone.beam.io.NemoPipelines.run;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.extensions.avro.coders.AvroCoder;
import org.apache.beam.sdk.extensions.avro.io.AvroIO;
import org.apache.beam.sdk.io.Compression;
import org.apache.beam.sdk.io.TFRecordIO;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.values.TypeDescriptor;
import org.apache.beam.sdk.values.TypeDescriptors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** AvroIO with classes instead of generic records, and TFRecordIO. */
class RecordFilesTest {

  @TempDir private Path directory;

  /** A class that Avro finds the schema of. */
  static final class Sale {
    private String item;
    private int amount;

    Sale() {}

    Sale(String item, int amount) {
      this.item = item;
      this.amount = amount;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Sale sale && item.equals(sale.item) && amount == sale.amount;
    }

    @Override
    public int hashCode() {
      return Objects.hash(item, amount);
    }

    @Override
    public String toString() {
      return amount + " " + item;
    }
  }

  @Test
  void objectsAreWrittenAsAvroAndReadBack() {
    AvroCoder<Sale> coder = AvroCoder.reflect(Sale.class);
    Pipeline writing = pipeline();
    writing
        .apply(Create.of(new Sale("tea", 3), new Sale("rice", 5)).withCoder(coder))
        .apply(AvroIO.write(Sale.class).to(directory.resolve("sales").toString()));
    run(writing);

    Pipeline reading = pipeline();
    PAssert.that(
            reading.apply(AvroIO.read(Sale.class).from(directory.resolve("sales*").toString())))
        .containsInAnyOrder(new Sale("tea", 3), new Sale("rice", 5));
    run(reading);
  }

  @Test
  void recordsForTensorFlowAreWrittenAndReadBack() {
    Pipeline writing = pipeline();
    writing
        .apply(Create.of("a", "bb", ""))
        .apply(
            MapElements.into(TypeDescriptor.of(byte[].class))
                .via(text -> text.getBytes(StandardCharsets.UTF_8)))
        .apply(
            TFRecordIO.write()
                .to(directory.resolve("records").toString())
                .withNumShards(1)
                .withCompression(Compression.GZIP));
    run(writing);

    Pipeline reading = pipeline();
    PAssert.that(
            reading
                .apply(TFRecordIO.read().from(directory.resolve("records*").toString()))
                .apply(
                    MapElements.into(TypeDescriptors.strings())
                        .via(bytes -> new String(bytes, StandardCharsets.UTF_8))))
        .containsInAnyOrder("a", "bb", "");
    run(reading);
  }
}
