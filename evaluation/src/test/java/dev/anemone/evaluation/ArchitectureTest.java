// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
    packages = "dev.anemone.evaluation",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule PACKAGES_DO_NOT_DEPEND_ON_EACH_OTHER_IN_CIRCLES =
      slices().matching("dev.anemone.evaluation.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule THE_LAB_KNOWS_NO_EXPERIMENT =
      noClasses()
          .that()
          .resideInAPackage("..evaluation.lab..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "..evaluation.compare..", "..evaluation.model..", "..evaluation.robust..");

  @ArchTest
  static final ArchRule EXPERIMENTS_DO_NOT_KNOW_EACH_OTHER =
      slices()
          .matching("dev.anemone.evaluation.(compare|model|robust).(*)..")
          .should()
          .notDependOnEachOther();
}
