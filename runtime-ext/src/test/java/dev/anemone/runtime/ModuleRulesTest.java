// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

class ModuleRulesTest {

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.anemone.runtime");

  @Test
  void runtimeDoesNotSeeBeam() {
    ArchRule rule =
        noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.beam..", "dev.anemone.beam..", "dev.anemone.ndp..");
    rule.check(CLASSES);
  }

  @Test
  void onlyTheEngineSeesTezAndHadoop() {
    ArchRule rule =
        noClasses()
            .that()
            .resideOutsideOfPackage("dev.anemone.runtime.tez..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.tez..", "org.apache.hadoop..");
    rule.check(CLASSES);
  }

  @Test
  void theSpiSeesOnlyTheIr() {
    ArchRule rule =
        noClasses()
            .that()
            .resideInAPackage("dev.anemone.runtime.spi..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "dev.anemone.runtime.stage..",
                "dev.anemone.runtime.task..",
                "dev.anemone.runtime.tez..");
    rule.check(CLASSES);
  }

  /** Every package is a slice of its own, those below another one, too. */
  @Test
  void packagesFormNoCycle() {
    slices().matching("dev.anemone.(**)").should().beFreeOfCycles().check(CLASSES);
  }
}
