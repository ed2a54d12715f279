package dev.anemone.runtime;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
    packages = "dev.anemone.runtime",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ModuleRulesTest {

  @ArchTest
  static final ArchRule RUNTIME_DOES_NOT_SEE_BEAM =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.beam..", "dev.anemone.beam..", "dev.anemone.ndp..");

  @ArchTest
  static final ArchRule ONLY_THE_ENGINE_SEES_TEZ_AND_HADOOP =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.anemone.runtime.tez..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.tez..", "org.apache.hadoop..");

  @ArchTest
  static final ArchRule THE_SPI_SEES_ONLY_THE_IR =
      noClasses()
          .that()
          .resideInAPackage("dev.anemone.runtime.spi..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.anemone.runtime.stage..",
              "dev.anemone.runtime.task..",
              "dev.anemone.runtime.tez..");
}
