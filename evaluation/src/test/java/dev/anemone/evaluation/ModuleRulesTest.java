// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ModuleRulesTest {

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.anemone.evaluation");

  /** Every package is a slice of its own, those below another one, too. */
  @Test
  void packagesFormNoCycle() {
    slices().matching("dev.anemone.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void theLabKnowsNoExperiment() {
    noClasses()
        .that()
        .resideInAPackage("..evaluation.lab..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "..evaluation.compare..", "..evaluation.model..", "..evaluation.robust..")
        .check(CLASSES);
  }

  @Test
  void experimentsDoNotKnowEachOther() {
    slices()
        .matching("dev.anemone.evaluation.(compare|model|robust).(*)..")
        .should()
        .notDependOnEachOther()
        .check(CLASSES);
  }
}
